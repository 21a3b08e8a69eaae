import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import helmet from 'helmet';
import { openApiDocument } from './openapi-document';

const PAGE = 'api/docs';
const JSON_DOCUMENT = 'api/docs-json';

/**
 * The styles that stand inside Swagger UI's page, by their hashes: two elements, and one attribute. Everything else comes
 * from files of our own. A test compares them with the page and names the new ones when an upgrade changes it.
 */
const INLINE_STYLE_ELEMENTS = [
  "'sha256-/jDKvbQ8cdux+c5epDIqkjHbXDaIY8RucT1PmAe8FG4='",
  "'sha256-eaPyLWVdqMc60xuz5bTp2yBRgVpQSoUggte1+40ONPU='",
];
const INLINE_STYLE_ATTRIBUTES = ["'sha256-ezdv1bOGcoOD7FKudKN0Y2Mb763O6qVtM8LT2mtanIU='"];

/** Lets in what the page needs, from here, and nothing else. */
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
    // No upgrade-insecure-requests: where the service is reached by plain http at an address other than localhost, a
    // browser would ask for the page's own files by https, and get none. TLS ends at a proxy, and nothing here is http:.
  },
});

/** `GET /api/docs` and `GET /api/docs-json`. They are public, and come before the routes of Nest and their guards. */
export function serveDocs(app: NestExpressApplication): void {
  app.use(`/${PAGE}`, contentSecurityPolicy);
  SwaggerModule.setup(PAGE, app, () => openApiDocument(app), {
    raw: ['json'],
    jsonDocumentUrl: JSON_DOCUMENT,
    customSiteTitle: 'User Administration Service',
    customfavIcon: FAVICON,
    swaggerOptions: {
      layout: 'BaseLayout',
      persistAuthorization: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      defaultModelExpandDepth: 3,
      // The default asks a server on the internet what it thinks of this document.
      validatorUrl: 'none',
      requestInterceptor: fillInToken,
    },
  });
}

const FAVICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#1b5e8a">' +
      '<circle cx="8" cy="4.5" r="3.5"/><path d="M1 16a7 7 0 0 1 14 0z"/></svg>',
  ).replaceAll("'", '%27');

interface BrowserRequest {
  headers: Record<string, string | undefined>;
  body?: unknown;
}

/**
 * Runs in the browser, and is sent there as its text, so it uses nothing from outside. Where an example says `"token": "<...>"`,
 * it puts the token that was authorized with, so that the example works as it stands.
 */
function fillInToken(request: BrowserRequest): BrowserRequest {
  const bearer = request.headers.Authorization?.replace(/^Bearer\s+/i, '');
  if (bearer && typeof request.body === 'string') {
    request.body = request.body.replace(
      /("token"\s*:\s*)"<[^"]*>"/,
      (_match, key: string) => key + JSON.stringify(bearer),
    );
  }
  return request;
}
