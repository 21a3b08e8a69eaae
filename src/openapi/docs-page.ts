import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { CONFIG, type Config } from '../config/config';
import { DOCUMENT_PATH, PAGE_PATH } from './docs-paths';
import { openApiDocument } from './openapi-document';

/** The page's own script and style. */
const PAGE_FILES = join(__dirname, 'page');

/**
 * The inline styles of Swagger UI's page, by their hashes: two elements and one attribute. Everything else comes from
 * files of this service. A test compares them with the page, and prints the new hashes when an upgrade changes it.
 */
const INLINE_STYLE_ELEMENTS = [
  "'sha256-/jDKvbQ8cdux+c5epDIqkjHbXDaIY8RucT1PmAe8FG4='",
  "'sha256-eaPyLWVdqMc60xuz5bTp2yBRgVpQSoUggte1+40ONPU='",
];
const INLINE_STYLE_ATTRIBUTES = ["'sha256-ezdv1bOGcoOD7FKudKN0Y2Mb763O6qVtM8LT2mtanIU='"];

/** Permits what the page needs from this service, and nothing else. */
const contentSecurityPolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", ...INLINE_STYLE_ELEMENTS],
    styleSrcAttr: ["'unsafe-hashes'", ...INLINE_STYLE_ATTRIBUTES],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
    // There is no upgrade-insecure-requests: if the service is reached by plain http at an address other than
    // localhost, a browser would request the page's files by https, and fail. TLS ends at a proxy, and nothing here
    // uses http:.
  },
});

/** Answers requests for the page, its files and the document, and passes on all others. */
export function docsPage(app: INestApplication): RequestHandler {
  const { publicUrl } = app.get<Config>(CONFIG);
  const router = Router();
  const adapter = new ExpressAdapter(router);
  // The address of a folder is none of this page, and Express would redirect it to an address without the prefix of a proxy.
  const useStaticAssets = (path: string, options: { prefix: string }) =>
    adapter.useStaticAssets(path, { ...options, redirect: false });
  router.use(PAGE_PATH, contentSecurityPolicy);
  // The setup needs only these two functions of an app. In the app itself, its routes would come after all others.
  const pages = { getHttpAdapter: () => adapter, useStaticAssets } as unknown as INestApplication;
  SwaggerModule.setup(PAGE_PATH, pages, () => openApiDocument(app, publicUrl || undefined), {
    raw: ['json'],
    jsonDocumentUrl: DOCUMENT_PATH,
    customSiteTitle: 'User Administration Service',
    customfavIcon: FAVICON,
    customJs: ['./docs/resolve-references.js', './docs/page.js'],
    customCssUrl: './docs/page.css',
    swaggerOptions: {
      layout: 'BaseLayout',
      persistAuthorization: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      defaultModelExpandDepth: 3,
      // By default, Swagger UI sends this document to a validator on the internet.
      validatorUrl: 'none',
      syntaxHighlight: { theme: 'tomorrow-night' },
      plugins: [pagePlugin],
      requestInterceptor: preparePageRequest,
      onComplete: startPage,
    },
  });
  // The page refers to its files relative to its address, which may end with a slash.
  for (const prefix of [PAGE_PATH, `${PAGE_PATH}/docs`]) useStaticAssets(PAGE_FILES, { prefix });
  return router;
}

const FAVICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#1b5e8a">' +
      '<circle cx="8" cy="4.5" r="3.5"/><path d="M1 16a7 7 0 0 1 14 0z"/></svg>',
  ).replaceAll("'", '%27');

/** The scripts of `page/` define it in the browser. The functions below are sent there as text, and use nothing else from outside. */
declare const administration: {
  plugin(system: unknown): object;
  prepareRequest(request: unknown): unknown;
  start(): void;
};

function pagePlugin(system: unknown): object {
  return administration.plugin(system);
}

function preparePageRequest(request: unknown): unknown {
  return administration.prepareRequest(request);
}

function startPage(): void {
  administration.start();
}
