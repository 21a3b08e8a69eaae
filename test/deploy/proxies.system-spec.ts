import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { type Browser, chromium } from 'playwright-core';
import { Administrator } from '../browser/administrator';
import { CHROMIUM } from '../browser/describe-in-browser';
import { freePort } from '../support/free-port';
import { startDemoService } from '../support/demo-service';
import type { TestService } from '../support/test-service';
import { DocumentedProxy, missingFor, type ProxyName } from './documented-proxy';

const HOSTILE = {
  forwarded: 'host=evil.example;proto=http',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-port': '81',
  'x-forwarded-prefix': '/evil',
  'x-forwarded-proto': 'http',
  'x-original-url': '/metrics',
};

describe.each<ProxyName>(['nginx', 'haproxy'])(
  'behind %s, configured as docs/proxies.md shows, below a path',
  (name) => {
    const missing = missingFor(name, CHROMIUM);
    if (missing !== undefined) {
      process.stderr.write(`Skipped "behind ${name}": ${missing}.\n`);
      it.skip(missing, () => undefined);
      return;
    }
    let service: TestService;
    let proxy: DocumentedProxy;
    let browser: Browser;
    let base: string;

    beforeAll(async () => {
      const port = await freePort();
      base = `https://127.0.0.1:${port}/users-admin`;
      service = await startDemoService({ PUBLIC_URL: base, TRUSTED_PROXIES: '1' });
      const { port: running } = new URL(service.url);
      // The other process is away, as during a restart.
      proxy = await DocumentedProxy.start(name, port, [await freePort(), Number(running)]);
      browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ['--no-sandbox', '--ignore-certificate-errors'],
      });
    });
    afterAll(async () => {
      await browser?.close();
      proxy?.stop();
      await service?.close();
    });

    /** A path exactly as it stands here. */
    async function call(path: string, headers: Record<string, string> = {}, body?: object) {
      const authorization = `Bearer ${service.serviceToken()}`;
      return new Promise<{ status?: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
        const options = { path, method: body ? 'POST' : 'GET', headers: { authorization, ...headers } };
        const to = { host: '127.0.0.1', port: proxy.port, rejectUnauthorized: false, agent: false } as const;
        const sent = request({ ...to, ...options }, (response) => {
          void text(response).then((answer) =>
            resolve({ status: response.statusCode, headers: response.headers, text: answer }),
          );
        });
        sent.on('error', reject).end(body && JSON.stringify(body));
      });
    }

    it('the page signs in and executes', async () => {
      const person = await Administrator.at(browser, `${base}/docs#token=${service.tokenOf('ada')}`);
      await person.page.locator('.session', { hasText: 'Signed in as ada' }).waitFor();
      expect(person.page.url()).toBe(`${base}/api/docs`);
      const operation = await person.open('listUsers');
      const asked = person.page.waitForRequest(/api\/users\?/);
      await operation.type('search', 'dee@');
      expect((await operation.execute()).body).toMatch(/"id": "dee"/);
      expect((await asked).url()).toContain(`${base}/api/users?search=dee%40`);
      expect(person.complaints).toEqual([]);
      await person.close();
    });

    it('links, pages and new records are at its address, whatever a caller says of it', async () => {
      const first = await call('/users-admin/api/users?limit=4', HOSTILE);
      const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(String(first.headers.link)) ?? [];
      expect(next.startsWith(`${base}/api/users?limit=4&cursor=`)).toBe(true);
      const second = await call(next.slice(new URL(base).origin.length), HOSTILE);
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(JSON.parse(second.text)).toMatchObject({ users: expect.any(Array) as unknown[] });

      const json = { 'content-type': 'application/json' };
      const created = await call('/users-admin/api/users', { ...HOSTILE, ...json }, { id: 'auth/1 ä' });
      expect([created.status, created.headers.location]).toEqual([201, `${base}/api/users/auth%2F1%20%C3%A4`]);
      const found = await call('/users-admin/api/users/auth%2F1%20%C3%A4', HOSTILE);
      expect(JSON.parse(found.text)).toMatchObject({ id: 'auth/1 ä' });
      const { servers } = JSON.parse((await call('/users-admin/api/docs-json', HOSTILE)).text) as { servers: unknown };
      expect(servers).toMatchObject([{ url: base }]);
      expect((await call('/users-admin/', HOSTILE)).headers.location).toBe(`${base}/api/docs`);
    });

    it.each([
      '/users-admin/metrics',
      '/users-admin/metrics/',
      '/users-admin//metrics',
      '/users-admin/%6Detrics',
      '/users-admin/METRICS',
      '/users-admin/./metrics',
      '/users-admin/api/../metrics',
      '/users-admin/api/%2e%2e/metrics',
      '/metrics',
    ])('hides %s', async (path) => {
      const { status, text: answer } = await call(path, HOSTILE);
      expect([path, status !== 200 && !answer.includes('# HELP')]).toEqual([path, true]);
    });

    it('passes on bodies and addresses that are larger than its defaults', async () => {
      const json = { 'content-type': 'application/json' };
      const large = { userIds: ['x'.repeat(16 * 1024 * 1024 - 100)], workspaces: ['atlas'] };
      expect((await call('/users-admin/api/users/workspace-assign', json, large)).status).toBe(400);
      const ids = Array.from({ length: 100 }, () => `ids=${'x'.repeat(130)}`).join('&');
      expect((await call(`/users-admin/api/users?${ids}`)).status).not.toBe(414);
    });
  },
);
