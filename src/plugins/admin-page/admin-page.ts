import { readdirSync } from 'node:fs';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, Response } from 'express';
import { CONFIG, type Config, ServiceError } from '../door';
import { isAdminPageServed } from './settings';
import { LANGUAGES } from '../../i18n/languages';
import { pathOf } from '@user-administration/http';
import { type CompressedFile, filesIn, versionOf } from '../../html-pages/compressed-file';
import { CONSOLE_FOLDER } from '../../html-pages/console-folder';
import { sendHtml } from '../../html-pages/html-page';
import type { SignIn } from '../../html-pages/sign-in';

const ADMIN_PATH = '/admin';

const SCRIPT = 'page.js';
const STYLE = 'page.css';
/** Of the page's script, and of the later one. */
const MESSAGES = ['', 'later-'].flatMap((of) => LANGUAGES.map((language) => `messages/${of}${language}.json`));
const FILES = [SCRIPT, STYLE, 'licences.txt', ...MESSAGES];
/** What the browser loads later. A hash of the script that it fits follows, so that no other release gets it. */
const LATER = 'administrators-pages-';

/** The page for administrators. It uses nothing of the service but its API. */
class AdminPage {
  private readonly files: ReadonlyMap<string, CompressedFile>;
  /** Of all files together: the script asks for its messages beside itself. */
  private readonly version: string;

  constructor(
    private readonly publicUrl: string,
    private readonly readPermission: string,
    private readonly signIn: SignIn | undefined,
  ) {
    const built = readdirSync(CONSOLE_FOLDER, { recursive: true, encoding: 'utf8' });
    this.files = new Map(
      filesIn(CONSOLE_FOLDER, [
        ...FILES.filter((name) => built.includes(name)),
        ...built.filter((name) => name.startsWith(LATER)),
      ]),
    );
    this.version = versionOf([...this.files.values()].map(({ version }) => version).join());
  }

  /** Addresses are relative to that of the page, because a proxy can have taken a prefix off. */
  sendHtml(request: Request, response: Response): Promise<void> {
    const folder = `${pathOf(request).endsWith('/') ? '.' : `.${ADMIN_PATH}`}/${this.version}`;
    const page = {
      title: 'User Administration',
      attributes: {
        'data-base': this.publicUrl,
        'data-read-permission': this.readPermission,
        // The clock of the browser may be wrong.
        'data-now': String(Math.floor(Date.now() / 1_000)),
        // The page has languages of its own, and draws texts that a translation would have replaced.
        translate: 'no',
      },
      styles: [`${folder}/${STYLE}`],
      body: ['<div id="page"></div>', `<script type="module" src="${folder}/${SCRIPT}"></script>`],
    };
    return sendHtml(request, response, page, this.signIn);
  }

  sendFile(name: string, request: Request, response: Response, next: NextFunction): unknown {
    const file = this.files.get(name);
    return file ? file.sendVersion(request, response, this.version) : next(new ServiceError('route.unknown'));
  }
}

/**
 * `GET /admin` and its files. They are public: Express answers them before the routes and guards of Nest. The first
 * request reads the files.
 */
export function serveAdminPage(app: NestExpressApplication, signIn: SignIn | undefined): void {
  const config = app.get<Config>(CONFIG);
  if (!isAdminPageServed(config)) return;
  const { publicUrl, accessTokens } = config;
  const express: Express = app.getHttpAdapter().getInstance();
  let made: AdminPage | undefined;
  const page = () => (made ??= new AdminPage(publicUrl, accessTokens.readPermission, signIn));
  express.get(ADMIN_PATH, (request, response) => page().sendHtml(request, response));
  for (const name of FILES) {
    express.get(`${ADMIN_PATH}/:version/${name}`, (request, response, next) =>
      page().sendFile(name, request, response, next),
    );
  }
  express.get(`${ADMIN_PATH}/:version/${LATER}:script`, (request, response, next) =>
    page().sendFile(LATER + request.params.script, request, response, next),
  );
}
