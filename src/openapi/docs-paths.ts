export const PAGE_PATH = '/api/docs';
export const DOCUMENT_PATH = '/api/docs-json';

/** What the page consists of: Swagger UI, and the additions of this service in `page/`. */
export const SWAGGER_UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];
export const PAGE_FILES = ['page.css', 'page.js'];
