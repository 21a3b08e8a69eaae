import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, RequestHandler } from 'express';
import { CONFIG, type Config } from '../config/config';
import type { SignIn } from '../html-pages/sign-in';
import { pathOf } from '@user-administration/http';
import { DOCUMENT_PATH, DocsPage, PAGE_FILES, PAGE_PATH, SIGN_IN_FILE, SWAGGER_UI_FILES } from './docs-page';

const FILES = [...SWAGGER_UI_FILES, ...PAGE_FILES];

/** The addresses of the page and its files. */
function routes(files: string[]): string[] {
  return ['', '/index.html', ...files.map((name) => `/:version/${name}`)].map((path) => PAGE_PATH + path);
}

/** Where somebody looks for the page. */
const ENTRANCES = ['/', '/docs'];

/**
 * `GET /api/docs`, to which `/` and `/docs` lead, and `GET /api/docs-json`. They are public: Express answers them
 * before the routes and guards of Nest. The first request creates them.
 */
export function serveDocs(app: NestExpressApplication, signIn: SignIn | undefined): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const { publicUrl } = app.get<Config>(CONFIG);
  let page: DocsPage | undefined;
  for (const path of [...routes(signIn ? [...FILES, SIGN_IN_FILE] : FILES), DOCUMENT_PATH]) {
    express.get(path, (request, response) => (page ??= new DocsPage(app, signIn)).answer(request, response));
  }
  for (const path of ENTRANCES) express.get(path, redirectToDocs(publicUrl));
}

/** Without a public URL, the address is relative, because a proxy can have taken a prefix off. */
function redirectToDocs(publicUrl: string): RequestHandler {
  return (request, response) => {
    const here = /.\/$/.test(pathOf(request)) ? '..' : '.';
    response.redirect(302, (publicUrl || here) + PAGE_PATH);
  };
}
