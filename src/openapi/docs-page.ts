import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import helmet from 'helmet';
import { CONFIG, type Config } from '../config/config';
import { pathOf } from '../server/request-path';
import { CompressedFile } from './compressed-file';
import { openApiDocument } from './openapi-document';
import { SignIn } from './sign-in';

export const PAGE_PATH = '/api/docs';
export const DOCUMENT_PATH = '/api/docs-json';

/** What the page consists of: Swagger UI, and the additions of this service in `page/`. */
export const SWAGGER_UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];
export const PAGE_FILES = ['page.css', 'page.js'];
/** Only for signing in. A build puts `oauth4webapi` into it. */
export const SIGN_IN_FILE = 'sign-in.js';

// eslint-disable-next-line @typescript-eslint/no-require-imports -- It has no types.
const swaggerUiFolder = require('swagger-ui-dist/absolute-path.js') as () => string;

/** Permits what the page needs from this service and from the identity provider, and nothing else. */
const contentSecurityPolicy = (origins: string[]) =>
  helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'", ...origins],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      // There is no upgrade-insecure-requests: if the service is reached by plain http at an address other than
      // localhost, a browser would request the page's files by https, and fail. TLS ends at a proxy, and nothing here
      // uses http:.
    },
  });

/** The page of Swagger UI, its files, and the document. */
export class DocsPage {
  private readonly files: ReadonlyMap<string, CompressedFile>;
  private readonly document: CompressedFile;
  private readonly signIn: SignIn | undefined;

  constructor(app: INestApplication) {
    const config = app.get<Config>(CONFIG);
    const { publicUrl } = config;
    this.signIn = SignIn.of(config);
    this.files = new Map([
      ...filesIn(swaggerUiFolder(), SWAGGER_UI_FILES),
      ...filesIn(join(__dirname, 'page'), this.signIn ? [...PAGE_FILES, SIGN_IN_FILE] : PAGE_FILES),
    ]);
    this.document = new CompressedFile(
      '.json',
      Buffer.from(JSON.stringify(openApiDocument(app, publicUrl || undefined, config.signIn))),
    );
  }

  async answer(request: Request, response: Response): Promise<void> {
    const path = pathOf(request);
    if (path.startsWith(DOCUMENT_PATH)) return this.document.send(request, response);
    const file = this.files.get(path.slice(path.lastIndexOf('/') + 1));
    if (file) {
      const { version } = request.params;
      // A page of another release, which another process has served, gets this file as well.
      response.set('Cache-Control', version === file.version ? 'public, max-age=31536000, immutable' : 'no-cache');
      return file.send(request, response);
    }
    const signIn = await this.signIn?.present();
    contentSecurityPolicy(signIn?.origins ?? [])(request, response, () => {
      response.set('Cache-Control', 'no-cache').type('html').send(this.html(path, signIn?.settings));
    });
  }

  /** Addresses are relative to that of the page, because a proxy can have taken a prefix off. */
  private html(path: string, signIn: object | undefined): string {
    const folder = /\/docs$/.test(path) ? './docs' : '.';
    const [style, swaggerUi, ownStyle, ownScript, signInScript] = [...this.files].map(
      ([name, { version }]) => `${folder}/${version}/${name}`,
    );
    return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>User Administration Service</title>
    <link rel="icon" href="${FAVICON}" />
    <link rel="stylesheet" href="${style}" />
    <link rel="stylesheet" href="${ownStyle}" />${signIn ? `\n    <meta name="sign-in" content="${attribute(signIn)}" />` : ''}
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${swaggerUi}"></script>${signIn ? `\n    <script src="${signInScript}"></script>` : ''}
    <script src="${ownScript}"></script>
  </body>
</html>
`;
  }
}

function attribute(value: object): string {
  return JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function filesIn(folder: string, names: string[]): [string, CompressedFile][] {
  return names.map((name) => [name, new CompressedFile(extname(name), readFileSync(join(folder, name)))]);
}

const FAVICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#1b5e8a">' +
      '<circle cx="8" cy="4.5" r="3.5"/><path d="M1 16a7 7 0 0 1 14 0z"/></svg>',
  );
