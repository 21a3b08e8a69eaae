import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, RequestHandler } from 'express';
import { CONFIG, type Config } from '../config/config';
import { pathOf } from '../server/request-path';
import type * as DocsPage from './docs-page';
import { DOCUMENT_PATH, PAGE_PATH } from './docs-paths';

/** The routes of the library. As routes of the app they are known to `RouteTable`, so other methods are answered 405. */
const ROUTES = ['', '/index.html', '/swagger-ui-init.js', '/docs/swagger-ui-init.js']
  .map((path) => PAGE_PATH + path)
  .concat(DOCUMENT_PATH);
const READS = ['GET', 'HEAD'];

/** Where somebody looks for the page. */
const ENTRANCES = ['/', '/docs'];

/**
 * `GET /api/docs`, to which `/` and `/docs` lead, and `GET /api/docs-json`. They are public: Express answers them before the routes
 * and guards of Nest.
 * The first request loads the modules that create them. A start would take a tenth longer with these modules.
 */
export function serveDocs(app: NestExpressApplication): void {
  const express: Express = app.getHttpAdapter().getInstance();
  let page: RequestHandler | undefined;
  const answer: RequestHandler = (request, response, next) => {
    page ??= load().docsPage(app);
    return page(request, response, next);
  };
  for (const path of ROUTES) express.get(path, answer);
  const { publicUrl } = app.get<Config>(CONFIG);
  for (const path of ENTRANCES) express.get(path, leadToPage(publicUrl));
  express.use((request, response, next) => {
    const isFile = READS.includes(request.method) && pathOf(request).startsWith(`${PAGE_PATH}/`);
    return isFile ? answer(request, response, next) : next();
  });
}

/** Without a public URL, the address is relative, because a proxy can have taken a prefix off. */
function leadToPage(publicUrl: string): RequestHandler {
  return (request, response) => {
    const here = /.\/$/.test(pathOf(request)) ? '..' : '.';
    response.redirect(302, (publicUrl || here) + PAGE_PATH);
  };
}

function load(): typeof DocsPage {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` would need the extension of the build.
  return require('./docs-page') as typeof DocsPage;
}
