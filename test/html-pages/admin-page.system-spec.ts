import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { greeting } from '../../src/greeting';
import { filesIn, versionOf } from '../../src/html-pages/compressed-file';
import { LANGUAGES } from '../../src/i18n/languages';
import { SECURITY_HEADERS } from '@user-administration/http';
import { startTestService, type TestService } from '../support/test-service';

const CONSOLE = join(__dirname, '../../dist/console');
const FILES = () => [
  'page.js',
  'page.css',
  'licences.txt',
  ...['', 'later-'].flatMap((of) => LANGUAGES.map((language) => `messages/${of}${language}.json`)),
  LATER(),
];
/** Its name has a hash of the script that it fits. */
const LATER = () => readdirSync(CONSOLE).find((name) => name.startsWith('administrators-pages-')) ?? '';
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** What each answer has, but for what the page permits itself. */
const COMMON = Object.fromEntries([...SECURITY_HEADERS].map(([name, value]) => [name.toLowerCase(), value]));
const POLICY =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';" +
  "base-uri 'none';form-action 'none';frame-ancestors 'none'";

/** Headers that differ each time, and those of the connection. */
const OF_THE_MOMENT = ['date', 'connection', 'keep-alive', 'x-request-id', 'ratelimit', 'ratelimit-policy'];

/** An answer, whole but for what differs each time. */
async function answerOf(address: string, init: RequestInit = {}) {
  const response = await fetch(address, init);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !OF_THE_MOMENT.includes(name)));
  return { status: response.status, headers, text: await response.text() };
}

const html = (folder: string, base = '') => `<!doctype html>
<html lang="en" data-base="${base}" data-read-permission="users.read" data-now="NOW" translate="no">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>User Administration</title>
    <link rel="icon" href="FAVICON" />
    <link rel="stylesheet" href="${folder}/page.css" />
  </head>
  <body>
    <div id="page"></div>
    <script type="module" src="${folder}/page.js"></script>
  </body>
</html>
`;
const withoutIcon = (page: string) =>
  page.replace(/"data:image\/svg\+xml,[^"]+"/, '"FAVICON"').replace(/data-now="\d{10}"/, 'data-now="NOW"');

let service: TestService;
afterEach(() => service?.close());
const start = async (environment: Record<string, string> = {}) => (service = await startTestService({ environment }));

/** The hash in the addresses of the page's files. */
const versionIn = (page: string) => /\/([0-9a-f]{16})\/page\.js/.exec(page)?.[1] ?? '';

describe('the page for administrators', () => {
  it('is small, cannot be framed, and can load and call nothing but this service', async () => {
    await start();
    for (const [path, folder] of [
      ['/admin', './admin'],
      ['/admin/', '.'],
      ['/admin?a=b', './admin'],
    ] as const) {
      const { status, headers, text } = await answerOf(service.url + path);
      const page = html(`${folder}/${versionIn(text)}`);
      expect([status, withoutIcon(text)]).toEqual([200, page]);
      expect(headers).toEqual({
        ...COMMON,
        'content-security-policy': POLICY,
        'cache-control': 'no-cache',
        'content-type': 'text/html; charset=utf-8',
        'content-length': String(Buffer.byteLength(text)),
      });
      const head = await answerOf(service.url + path, { method: 'HEAD' });
      expect(head).toEqual({ status, headers, text: '' });
    }
    expect([COMMON['referrer-policy'], COMMON['x-content-type-options']]).toEqual(['no-referrer', 'nosniff']);
  });

  it('receives its files under one hash of all of them, compressed and for a year, and under another one not for long', async () => {
    await start();
    const version = versionIn((await answerOf(`${service.url}/admin`)).text);
    expect(version).toBe(
      versionOf(
        filesIn(CONSOLE, FILES())
          .map(([, file]) => file.version)
          .join(),
      ),
    );
    for (const name of FILES()) {
      const content = readFileSync(join(CONSOLE, name), 'utf8');
      const expected = {
        ...COMMON,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-encoding': 'gzip',
        'content-length': expect.any(String) as string,
        'content-type': TYPES[name.split('.').pop() ?? ''],
        vary: 'Accept-Encoding',
      };
      const address = `${service.url}/admin/${version}/${name}`;
      for (const [encoding, acceptable] of [
        ['gzip', 'gzip, deflate'],
        ['br', 'gzip, deflate, br, zstd'],
      ] as const) {
        const answer = await answerOf(address, { headers: { 'accept-encoding': acceptable } });
        const headers = { ...expected, 'content-encoding': encoding };
        expect([name, answer]).toEqual([name, { status: 200, headers, text: content }]);
      }
      const head = await answerOf(address, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
      const plain = { ...expected, 'content-encoding': undefined };
      expect(head).toEqual({
        status: 200,
        headers: { ...plain, 'content-length': String(Buffer.byteLength(content)) },
        text: '',
      });
      const other = await answerOf(`${service.url}/admin/0123456789abcdef/${name}`, {
        headers: { 'accept-encoding': 'gzip' },
      });
      expect(other).toEqual({ status: 200, headers: { ...expected, 'cache-control': 'no-cache' }, text: content });
    }
  });

  it('has only GET and HEAD, and no other files', async () => {
    await start();
    for (const path of ['/admin', '/admin/', '/admin/0123456789abcdef/page.js', '/admin/0/messages/de.json']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const { status, headers, text } = await answerOf(service.url + path, { method });
        expect([path, method, status, headers.allow, JSON.parse(text)]).toEqual([
          path,
          method,
          405,
          'GET, HEAD',
          { status: 405, message: expect.stringMatching(/./) as string },
        ]);
      }
    }
    for (const path of [
      '/admin/page.js',
      '/admin/index.html',
      '/admin/0/unknown.js',
      '/admin/0/swagger-sign-in.js',
      '/admin/0/administrators-pages-OFANOTHER.js',
      '/admin/0/administrators-pages-..%2fpage.js',
      '/admin/0/messages/xx.json',
      '/admin/0/messages',
      '/admin/0/..%2fmain.js',
      '/Admin',
    ])
      expect([path, (await answerOf(service.url + path)).status]).toEqual([path, 404]);
  });

  it('names its files relative to itself, so that a proxy can take a prefix off, and the address that it is said to have', async () => {
    await start({ PUBLIC_URL: 'https://intranet.example/users/' });
    for (const path of ['/admin', '/admin/']) {
      const page = (await answerOf(service.url + path)).text;
      expect(page).toContain('data-base="https://intranet.example/users"');
      const files = [...page.matchAll(/(?:src|href)="(\.[^"]+)"/g)].map(
        ([, file = '']) => new URL(file, `https://intranet.example/users${path}`).pathname,
      );
      const folder = `/users/admin/${versionIn(page)}`;
      expect(files).toEqual([`${folder}/page.css`, `${folder}/page.js`]);
    }
  });

  it('is not there with ADMIN_PAGE=false, and not announced', async () => {
    await start({ ADMIN_PAGE: 'false' });
    const unknown = await answerOf(`${service.url}/nowhere`);
    for (const path of ['/admin', '/admin/', '/admin/0123456789abcdef/page.js', '/admin/0/messages/en.json']) {
      for (const method of ['GET', 'POST']) {
        expect([path, method, await answerOf(service.url + path, { method })]).toEqual([path, method, unknown]);
      }
    }
    expect((await answerOf(`${service.url}/api/docs`)).status).toBe(200);
    expect(await greeting(service.app, service.config)).toBe(`Swagger UI: ${service.url}/api/docs\n`);
  });
});
