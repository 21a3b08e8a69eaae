import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../../test/browser/describe-in-browser';
import { startTestService, type TestService } from '../../test/support/test-service';

const SOURCES = join(__dirname, '../src');
/** Not this machine's name, so that the page is no secure context, like one that an intranet serves by plain http. */
const HOST = 'users.example';

/** What a page does with the client, as text: it runs in the browser. */
const CALLS = `(async ({ UserAdministrationClient, UserAdministrationError, clientCredentials }, token) => {
  const hooks = { attemptStarted: () => { throw new Error('broken'); } };
  const client = new UserAdministrationClient({ baseUrl: location.origin, token: () => token, hooks });
  const failure = (call) => call.then(() => undefined, ({ constructor, code, detail, status, errors }) =>
    ({ own: constructor === UserAdministrationError, code, detail, status, errors }));
  const ids = [];
  for await (const { id } of client.users.list({ limit: 1 })) ids.push(id);
  const { etag } = await client.users.get('ben');
  const { displayName } = await client.users.update('ben', { displayName: 'Ben' }, { ifMatch: etag });
  const assigned = await client.users.assignWorkspaces({ userIds: ['ben'], workspaces: ['atlas'] });
  const unknown = await failure(client.users.assignStatus({ userIds: ['nobody'], status: 'inactive' }));
  const controller = new AbortController();
  const { signal } = controller;
  const waiting = failure(client.journal.follow({}, { signal })[Symbol.asyncIterator]().next());
  const pausing = failure(client.users.list({}, { signal }).all());
  controller.abort();
  const elsewhere = new UserAdministrationClient({ baseUrl: location.origin + '/moved', token });
  const redirected = await failure(elsewhere.me());
  const quoted = await failure(clientCredentials({ tokenUrl: location.origin + '/health/live', clientId: 'c', clientSecret: 's' })());
  return {
    isSecureContext, ids, displayName, assigned, unknown,
    aborted: [(await waiting).code, (await pausing).code], redirected, refusedToken: quoted.code,
  };
})`;

/** Fails for an import that no browser has, such as one of Node. */
const { outputFiles, metafile } = buildSync({
  entryPoints: [join(SOURCES, 'index.ts')],
  bundle: true,
  write: false,
  metafile: true,
  format: 'iife',
  globalName: 'client',
  platform: 'browser',
  logLevel: 'silent',
});

it('the core of the client imports only itself', () => {
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.length).toBeGreaterThan(20);
  expect(inputs.filter((path) => !path.startsWith('client/src/'))).toEqual([]);
});

describeInBrowser('the client in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    service = await startTestService();
    await service.directory.permission('users.administer', 'administrator');
    await service.directory.workspace('atlas');
    await service.directory.user('ada', { type: 'administrator', permissions: ['users.administer'] });
    await service.directory.user('ben');
    const args = ['--no-sandbox', `--host-resolver-rules=MAP ${HOST} 127.0.0.1`];
    browser = await chromium.launch({ executablePath: CHROMIUM, args });
    page = await browser.newPage();
    await page.route('**/moved/**', (route) => route.fulfill({ status: 302, headers: { location: '/api/me' } }));
    await page.goto(`http://${HOST}:${new URL(service.url).port}/api/docs`);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it('reads, changes, follows, retries and refuses as it does in Node', async () => {
    const warnings: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    const code = outputFiles[0]?.text ?? '';
    const seen = await page.evaluate(`${code}; (${CALLS})(client, ${JSON.stringify(service.tokenOf('ada'))})`);
    expect(seen).toEqual({
      isSecureContext: false,
      ids: ['ada', 'ben'],
      displayName: 'Ben',
      assigned: { status: 200, message: 'Users successfully assigned to workspaces.' },
      unknown: {
        own: true,
        code: 'user.invalid',
        detail: 'Please select a valid User.',
        status: 400,
        errors: [{ pointer: '/userIds/0', id: 'nobody' }],
      },
      aborted: ['client.aborted', 'client.aborted'],
      redirected: {
        own: true,
        code: 'client.unexpected_answer',
        detail: 'Not an answer of this service: a redirect. Check baseUrl, and any proxy in between.',
        status: 0,
        errors: [],
      },
      refusedToken: 'client.token_failed',
    });
    expect(new Set(warnings)).toEqual(new Set(['UserAdministrationClient: A hook failed: Error: broken']));
  });
});
