import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../config/config';
import { CONSOLE_FOLDER } from '../html-pages/console-folder';
import { CompressedFile, filesIn } from '../html-pages/compressed-file';
import { sendHtml } from '../html-pages/html-page';
import type { SignIn } from '../html-pages/sign-in';
import { pathOf } from '@user-administration/http';
import { openApiDocument } from './openapi-document';

export const PAGE_PATH = '/api/docs';
export const DOCUMENT_PATH = '/api/docs-json';

/** What the page consists of: Swagger UI, and the additions of this service in `page/`. */
export const SWAGGER_UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];
export const PAGE_FILES = ['page.css', 'page.js'];
/** Only for signing in, of the package `console`. */
export const SIGN_IN_FILE = 'swagger-sign-in.js';

// eslint-disable-next-line @typescript-eslint/no-require-imports -- It has no types.
const swaggerUiFolder = require('swagger-ui-dist/absolute-path.js') as () => string;

/** The page of Swagger UI, its files, and the document. */
export class DocsPage {
  private readonly files: ReadonlyMap<string, CompressedFile>;
  private readonly document: CompressedFile;

  constructor(
    app: INestApplication,
    private readonly signIn: SignIn | undefined,
  ) {
    const config = app.get<Config>(CONFIG);
    this.files = new Map([
      ...filesIn(swaggerUiFolder(), SWAGGER_UI_FILES),
      ...filesIn(join(__dirname, 'page'), PAGE_FILES),
      ...filesIn(CONSOLE_FOLDER, signIn ? [SIGN_IN_FILE] : []),
    ]);
    this.document = new CompressedFile(
      '.json',
      Buffer.from(JSON.stringify(openApiDocument(app, config.publicUrl || undefined, config.signIn))),
    );
  }

  async answer(request: Request, response: Response): Promise<void> {
    const path = pathOf(request);
    if (path.startsWith(DOCUMENT_PATH)) return this.document.send(request, response);
    const file = this.files.get(path.slice(path.lastIndexOf('/') + 1));
    return file ? file.sendVersion(request, response) : this.sendHtml(path, request, response);
  }

  /** Addresses are relative to that of the page, because a proxy can have taken a prefix off. */
  private sendHtml(path: string, request: Request, response: Response): Promise<void> {
    const folder = /\/docs$/.test(path) ? './docs' : '.';
    const [style, swaggerUi, ownStyle, ownScript, signIn] = [...this.files].map(
      ([name, { version }]) => `${folder}/${version}/${name}`,
    );
    const page = {
      title: 'User Administration Service',
      styles: [style, ownStyle] as string[],
      body: [
        '<div id="swagger-ui"></div>',
        ...[swaggerUi, signIn, ownScript].flatMap((script) => (script ? `<script src="${script}"></script>` : [])),
      ],
    };
    return sendHtml(request, response, page, this.signIn);
  }
}
