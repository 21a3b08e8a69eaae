import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, RequestHandler } from 'express';
import { pathOf } from '../server/request-path';
import type * as DocsPage from './docs-page';
import { DOCUMENT_PATH, PAGE_PATH } from './docs-paths';

const PAGE_FILES = new RegExp(`^${PAGE_PATH}/`, 'i');

/**
 * `GET /api/docs` and `GET /api/docs-json`. They are public: Express answers them before the routes and guards of Nest.
 * What makes them is loaded by the first request, because a start would take a tenth longer with it.
 */
export function serveDocs(app: NestExpressApplication): void {
  const express: Express = app.getHttpAdapter().getInstance();
  let page: RequestHandler | undefined;
  const answer: RequestHandler = (request, response, next) => {
    page ??= load().docsPage(app);
    return page(request, response, next);
  };
  // As routes, the two addresses are known to `RouteTable`.
  for (const path of [PAGE_PATH, DOCUMENT_PATH]) express.get(path, answer);
  express.use((request, response, next) =>
    PAGE_FILES.test(pathOf(request)) ? answer(request, response, next) : next(),
  );
}

function load(): typeof DocsPage {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` would need the extension of the build.
  return require('./docs-page') as typeof DocsPage;
}
