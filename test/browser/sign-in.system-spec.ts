import { type Browser, chromium, type Page } from 'playwright-core';
import { loadDemoDirectory } from '../../src/directory-transfer/demo-directory';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { freePort } from '../support/free-port';
import { startTestService, type TestService } from '../support/test-service';
import { CHROMIUM, describeInBrowser } from './describe-in-browser';
import { IdentityProvider } from './identity-provider';

const BUTTON = 'Sign in with your organisation';
/** After Swagger UI has signed somebody out. */
const NOTHING_KEPT = '[{"authorized":"{}"},{}]';
const AUDIENCE = 'https://users.example';
const AWAY =
  "The sign-in of your organisation does not answer. Please try again in a minute. If it persists, its operators must permit this page's address.";

/** Of ten minutes, when a token is renewed: it is up to the test when they are over. */
const RENEWAL_MS = 540_000;
const HELD_RENEWALS = `
  const wait = setTimeout;
  globalThis.renewals = [];
  globalThis.setTimeout = (run, ms) => (ms === ${RENEWAL_MS} ? renewals.push(run) : wait(run, ms));`;

describeInBrowser('signing in to the page of Swagger UI', () => {
  let port: number;
  let provider: IdentityProvider;
  let browser: Browser;
  let service: TestService;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    port = await freePort();
    provider = await IdentityProvider.start(await freePort(), `http://127.0.0.1:${port}/api/docs`);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await provider?.stop();
  });

  /** A service with the settings of a test. All are at the address that the provider leads back to, one after the other. */
  function withSettings(settings: Record<string, string> = {}): void {
    beforeAll(async () => {
      service = await startTestService({
        environment: {
          PORT: String(port),
          JWT_SECRET: '',
          STATUS_TOKEN_SECRET: 'a secret of the service, for its own tokens',
          JWT_JWKS_URI: `${provider.issuer}/jwks`,
          JWT_ISSUER: provider.issuer,
          JWT_AUDIENCE: AUDIENCE,
          OIDC_ISSUER: provider.issuer,
          OIDC_CLIENT_ID: 'page',
          OIDC_AUDIENCE: AUDIENCE,
          ...settings,
        },
      });
      await loadDemoDirectory(service.dataSource, service.app.get(UserTypeService));
    });
    afterAll(() => service?.close());
  }

  afterEach(async () => {
    await page?.context().close();
    await provider.set({ aheadMs: 0 });
  });

  async function open(path: string, { clockAheadMs = 0 } = {}): Promise<void> {
    const context = await browser.newContext();
    await context.addInitScript(`const now = Date.now; Date.now = () => now() + ${clockAheadMs};`);
    await context.addInitScript(HELD_RENEWALS);
    // The pages of the provider name a font on the internet.
    await context.route(
      ({ hostname }) => hostname !== '127.0.0.1',
      (route) => route.fulfill({ contentType: 'text/css', body: '' }),
    );
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(service.url + path);
    await page.locator('.opblock').first().waitFor();
  }

  const begin = () => page.getByRole('button', { name: BUTTON }).click();

  /** What a person does at the provider. */
  async function signInAs(name: string): Promise<void> {
    await begin();
    await page.getByPlaceholder('Enter any login').fill(name);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  const session = (text: RegExp | string) => page.locator('.session', { hasText: text }).waitFor();
  const stored = () => page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');

  describe('as a client that the provider knows', () => {
    withSettings({ OIDC_SCOPE: 'openid offline_access' });

    it('leads back to where one was, keeps tokens in memory only, renews them, and forgets them when one signs out', async () => {
      await open('/api/docs#/Users/listUsers');
      const asked = page.waitForRequest(/\/auth\?/);
      const tokens: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/token')) tokens.push(request.postData() ?? '');
      });
      await signInAs('ada');
      await session('Signed in as ada until');
      expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toEqual({
        client_id: 'page',
        redirect_uri: `${service.url}/api/docs`,
        response_type: 'code',
        scope: 'openid offline_access',
        state: expect.any(String),
        nonce: expect.any(String),
        code_challenge: expect.any(String),
        code_challenge_method: 'S256',
        prompt: 'consent',
        audience: AUDIENCE,
        resource: AUDIENCE,
      });
      expect(page.url()).toBe(`${service.url}/api/docs#/Users/listUsers`);
      expect(await stored()).toBe('[{},{}]');
      const operation = page.locator('[id$="-listUsers"]');
      const first = page.waitForRequest(/\/api\/users\?/);
      await operation.locator('.execute').click();
      await operation.locator('.live-responses-table', { hasText: '200' }).waitFor();

      const renewed = page.waitForResponse((response) => response.url().endsWith('/token'));
      await page.evaluate('renewals.shift()()');
      await renewed;
      await page.waitForFunction('renewals.length === 1');
      await session('Signed in as ada until');
      const second = page.waitForRequest(/\/api\/users\?/);
      await operation.locator('.execute').click();
      const bearers = [(await first).headers().authorization, (await second).headers().authorization];
      expect(new Set(bearers).size).toBe(2);
      expect(tokens.map((body) => new URLSearchParams(body).get('grant_type'))).toEqual([
        'authorization_code',
        'refresh_token',
      ]);
      expect(await stored()).toBe('[{},{}]');

      await page.getByRole('button', { name: 'Sign out' }).click();
      await session('You are not signed in.');
      // A renewal that is due after that asks for nothing.
      await page.evaluate('renewals.shift()()');
      expect(await stored()).toBe(NOTHING_KEPT);
      await page.reload();
      await session('You are not signed in.');
      expect(tokens).toHaveLength(2);
      expect(complaints).toEqual([]);
    });

    it('replaces a token that the browser has kept, which does not come back', async () => {
      await open('/api/docs#token=a.b.c');
      await session('The service did not accept your token.');
      await page.evaluate(`localStorage.setItem('authorized', '{"bearer":{}}')`);
      await signInAs('ada');
      await session('Signed in as ada until');
      expect(await stored()).toBe('[{},{}]');
    });

    it('says that it was denied', async () => {
      await open('/api/docs');
      await begin();
      await page.getByText('[ Cancel ]').click();
      await session('You were not signed in: the sign-in was cancelled or denied.');
      expect(page.url()).toBe(`${service.url}/api/docs`);
    });

    it('says that the directory does not know the user', async () => {
      await open('/api/docs');
      await signInAs('nobody');
      await session(
        'Your organisation has signed you in as nobody, but this service does not know you: its directory has no active user with this id',
      );
      await page.getByRole('button', { name: BUTTON }).waitFor();
      expect(await stored()).toBe(NOTHING_KEPT);
    });

    it.each([3_600_000, -3_600_000])('does not mind a browser whose clock is %i ms ahead', async (clockAheadMs) => {
      await open('/api/docs', { clockAheadMs });
      await signInAs('ada');
      await session('Signed in as ada until');
    });

    it('says that the clock of the provider is ahead', async () => {
      await provider.set({ aheadMs: 600_000 });
      await open('/api/docs');
      await signInAs('ada');
      await session('The clock of the sign-in of your organisation is ahead of that of this service.');
    });

    it('says that the provider does not answer any more', async () => {
      await open('/api/docs');
      await page.route('**/token', (route) => route.abort());
      await signInAs('ada');
      await session(AWAY);
      await page.unroute('**/token');
      await begin();
      await page.getByRole('button', { name: 'Continue' }).click();
      await session('Signed in as ada until');
    });

    it('takes no answer that was not asked for in this tab', async () => {
      await open('/api/docs?code=stolen&state=any#token=a.b.c');
      await session('You were not signed in: this sign-in was not begun in this tab.');
      expect(page.url()).toBe(`${service.url}/api/docs`);
      await open('/api/docs?error=Call+us&state=any');
      await session('You were not signed in: this sign-in was not begun in this tab.');
    });
  });

  describe('as a client that the provider does not know', () => {
    withSettings({ OIDC_CLIENT_ID: 'somebody' });

    it('ends at the provider, from where one can go back', async () => {
      await open('/api/docs');
      await begin();
      await page.getByText('invalid_client').first().waitFor();
      await page.goBack();
      await session('You are not signed in.');
    });
  });

  describe('as a client that should have a secret', () => {
    withSettings({ OIDC_CLIENT_ID: 'with-secret' });

    it('says so', async () => {
      await open('/api/docs');
      await signInAs('ada');
      await session('The sign-in of your organisation does not know this page as a client (invalid_client).');
    });
  });

  describe('while the provider is away', () => {
    withSettings({ OIDC_ISSUER: 'http://127.0.0.1:9' });

    it('says so, and a token still works', async () => {
      await open('/api/docs');
      await begin();
      await session(AWAY);
      await page.getByRole('button', { name: 'Use a token' }).click();
      await page.getByLabel('Access token').fill('a.b.c');
      await page.keyboard.press('Enter');
      await session('The service did not accept your token.');
    });
  });
});
