export const PAGE_PATH = '/api/docs';
export const DOCUMENT_PATH = '/api/docs-json';
