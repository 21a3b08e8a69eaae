import type { Page } from 'playwright-core';
import { freePort } from '../support/free-port';
import { startDemoService } from '../support/demo-service';
import type { TestService } from '../support/test-service';
import { describeInBrowser, useBrowser } from './describe-in-browser';
import { IdentityProvider } from './identity-provider';

const BUTTON = 'Sign in with your organisation';
const AUDIENCE = 'https://users.example';
const AWAY = /^The sign-in of your organisation does not answer\. Please reload this page in a minute/;
const CANCELLED = 'You were not signed in: the sign-in was cancelled or denied.';
const NOT_BEGUN_HERE = 'You were not signed in: this sign-in was not begun in this tab.';
const UNKNOWN_USER =
  /^Your organisation has signed you in as .?nobody.?, but this service does not know you: its directory has no active user with this id/;

/** The two pages at which people sign in, and where each says what. */
const ADMIN = { path: '/admin', ready: 'main', signedIn: 'Ada', says: '[role=alert]' } as const;
const SWAGGER = {
  path: '/api/docs',
  ready: '.opblock',
  signedIn: 'Signed in as ada until',
  says: '.session',
} as const;
type SignInPage = typeof ADMIN | typeof SWAGGER;

/** Of ten minutes, when a token is renewed: it is up to the test when they are over. */
const RENEWAL_MS = 540_000;
const HELD_RENEWALS = `
  const wait = setTimeout;
  globalThis.renewals = [];
  globalThis.setTimeout = (run, ms) => (ms === ${RENEWAL_MS} ? renewals.push(run) : wait(run, ms));`;

describeInBrowser('signing in at the identity provider', () => {
  let port: number;
  let provider: IdentityProvider;
  const browser = useBrowser();
  let service: TestService;
  let at: SignInPage;
  let page: Page;
  let complaints: string[];
  /** What was sent to the token endpoint and, after that, to the one that revokes. */
  let sent: URLSearchParams[];
  let asksTwice: boolean;

  beforeAll(async () => {
    port = await freePort();
    const redirectUris = [ADMIN, SWAGGER].map(({ path }) => `http://127.0.0.1:${port}${path}`);
    provider = await IdentityProvider.start(await freePort(), redirectUris);
  });
  afterAll(() => provider?.stop());

  /** A service with the settings of a test. All are at the address that the provider leads back to, one after the other. */
  function withSettings(settings: Record<string, string> = {}): void {
    beforeAll(async () => {
      asksTwice = settings.OIDC_SCOPE?.includes('offline_access') ?? false;
      service = await startDemoService({
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
      });
    });
    afterAll(() => service?.close());
  }

  afterEach(async () => {
    await page?.context().close();
    await provider.set({ aheadMs: 0 });
  });

  /** @param end of the address, behind the path of the page */
  async function open(opened: SignInPage, end = '', { clockAheadMs = 0 } = {}): Promise<void> {
    at = opened;
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
    sent = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('request', (request) => {
      if (/\/token(\/revocation)?$/.test(request.url())) sent.push(new URLSearchParams(request.postData() ?? ''));
    });
    await page.goto(service.url + at.path + end);
    await page.locator(at.ready).first().waitFor();
  }

  const begin = () => page.getByRole('button', { name: BUTTON }).click();

  /** What a person does at the provider, who agrees once more where this one gives a refresh token only to who was asked. */
  async function signInAs(name: string, consents = asksTwice ? 2 : 1): Promise<void> {
    await begin();
    await page.getByPlaceholder('Enter any login').fill(name);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    for (let time = 0; time < consents; time++) {
      const answered = page.waitForURL((url) => url.href.startsWith(service.url), { waitUntil: 'commit' });
      await page.getByRole('button', { name: 'Continue' }).click();
      await answered;
    }
  }

  const sees = (place: string, text: RegExp | string) => page.locator(place, { hasText: text }).waitFor();
  const says = (text: RegExp | string) => sees(at.says, text);
  const isSignedIn = () => sees('.session', at.signedIn);
  const isSignedOut = () => page.getByRole('button', { name: BUTTON }).waitFor();
  const stored = () => page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');

  /** Lets a token be renewed. */
  async function renew(): Promise<void> {
    const renewed = page.waitForResponse((response) => response.url().endsWith('/token'));
    await page.evaluate('renewals.shift()()');
    await renewed;
    await page.waitForFunction('renewals.length === 1');
  }

  describe('as a client that the provider knows', () => {
    withSettings({ OIDC_SCOPE: 'openid offline_access' });

    /** Lets the page ask for users, and tells with which token. */
    async function bearerOf(act: () => Promise<unknown>): Promise<string | undefined> {
      const request = page.waitForRequest(/\/api\/users\?/);
      await act();
      return (await request).headers().authorization;
    }
    let searches = 0;
    const search = () => page.evaluate(`location.hash = '#/people?search=b${++searches}'`);
    const execute = () => page.locator('[id$="-listUsers"] .execute').click();

    it.each([
      [ADMIN, '#/people?search=a', search],
      [SWAGGER, '#/Users/listUsers', execute],
    ])(
      'leads back to where one was, keeps tokens in memory only, renews them, and forgets and revokes them when one signs out: %j',
      async (where, fragment, act) => {
        await open(where, fragment);
        const asked: object[] = [];
        page.on('request', (request) => {
          const { pathname, searchParams } = new URL(request.url());
          if (pathname === '/auth') asked.push(Object.fromEntries(searchParams));
        });
        await signInAs('ada');
        await isSignedIn();
        const question = {
          client_id: 'page',
          redirect_uri: service.url + where.path,
          response_type: 'code',
          scope: 'openid offline_access',
          state: expect.any(String),
          nonce: expect.any(String),
          code_challenge: expect.any(String),
          code_challenge_method: 'S256',
          audience: AUDIENCE,
          resource: AUDIENCE,
        };
        // Only since the answer to the first had no refresh token.
        expect(asked).toEqual([question, { ...question, prompt: 'consent' }]);
        expect(page.url()).toBe(service.url + where.path + fragment);
        expect(await stored()).toBe('[{"consent":"1","signed-in":"1"},{}]');
        const bearer = await bearerOf(act);
        await renew();
        await isSignedIn();
        expect([bearer, await bearerOf(act)]).not.toEqual([bearer, bearer]);
        const grants = ['authorization_code', 'authorization_code', 'refresh_token'];
        expect(sent.map((body) => body.get('grant_type'))).toEqual(grants);
        expect(await stored()).toBe('[{"consent":"1","signed-in":"1"},{}]');

        const revoked = page.waitForResponse(/\/token\/revocation$/);
        if (where === ADMIN) await page.locator('.session summary').click();
        await page.getByRole('button', { name: 'Sign out' }).click();
        expect((await revoked).status()).toBe(200);
        if (where === ADMIN) {
          await page.getByRole('button', { name: /^Yes/ }).click();
          await sees('[role=status]', 'You have signed out.');
          expect(page.url()).toBe(`${service.url}/admin`);
        }
        await isSignedOut();
        expect(Object.fromEntries(sent[3] as URLSearchParams)).toEqual({
          client_id: 'page',
          token: expect.any(String),
          token_type_hint: 'refresh_token',
        });
        // A renewal that is due after that asks for nothing.
        if (where === SWAGGER) await page.evaluate('renewals.shift()()');
        expect(await stored()).toBe('[{"consent":"1"},{}]');
        await page.reload();
        await isSignedOut();
        expect(sent).toHaveLength(4);
        expect(complaints).toEqual([]);
      },
    );

    it('signs in again by itself where one was, after a reload and in a new tab, until one signs out in any of them', async () => {
      await open(ADMIN, '#/people/ben');
      await signInAs('ada');
      await isSignedIn();
      const asked = page.waitForRequest(/\/auth\?.*prompt=none/);
      await page.reload();
      await asked;
      await isSignedIn();
      await page.getByRole('heading', { name: 'Ben' }).waitFor();
      expect(page.url()).toBe(`${service.url}/admin#/people/ben`);

      // A new tab asks this one, and not the provider.
      const other = await page.context().newPage();
      const questions: string[] = [];
      other.on('request', (request) => questions.push(request.url()));
      await other.goto(`${service.url}/admin#/people/cyd`);
      await other.getByRole('heading', { name: 'Cyd' }).waitFor();
      expect(questions.filter((url) => url.startsWith(provider.issuer))).toEqual([]);
      expect(await other.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
      await other.locator('.session summary').click();
      await other.getByRole('button', { name: 'Sign out' }).click();
      await sees('[role=status]', 'You have signed out.');
      await page.reload();
      await isSignedOut();
      expect(complaints).toEqual([]);
    });

    it('shows the button when nobody is signed in at the provider any more, and asks it once', async () => {
      await open(ADMIN);
      await signInAs('ada');
      await isSignedIn();
      await page.context().clearCookies();
      let asked = 0;
      page.on('request', (request) => (asked += /prompt=none/.test(request.url()) ? 1 : 0));
      await page.reload();
      await isSignedOut();
      await sees('[role=status]', 'Sign in to administer people and workspaces.');
      await page.reload();
      await isSignedOut();
      expect(asked).toBe(1);
    });

    it('signs in again in a window over the page, and sends what one was sending under its key', async () => {
      await open(ADMIN, '#/people/dee');
      await signInAs('ada');
      await isSignedIn();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Name').fill('Dee of the dialog');
      const patches: { authorization?: string; id?: string }[] = [];
      page.on('request', (request) => {
        const { authorization, 'x-request-id': id } = request.headers();
        if (request.method() === 'PATCH') patches.push({ authorization, id });
      });
      // The time of the token is over, for the browser and for the service.
      await page.evaluate('{ const { now } = Date; Date.now = () => now() + 3_600_000; }');
      await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
      const opened = page.context().waitForEvent('page');
      await page.getByRole('button', { name: BUTTON }).click();
      const window = await opened;
      await window.getByRole('button', { name: 'Continue' }).click();
      // The provider's token is older than the clock that this test has set, so the page would ask again.
      await page.evaluate('{ const { now } = Date; Date.now = () => now() - 3_600_000; }');
      await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
      expect(await page.getByLabel('Name').inputValue()).toBe('Dee of the dialog');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Dee of the dialog' }).waitFor();
      expect(patches).toHaveLength(1);
    });

    it('replaces a token that the browser has kept, which does not come back', async () => {
      await open(SWAGGER, '#token=a.b.c');
      await says('The service did not accept your token.');
      await page.evaluate(`sessionStorage.setItem('token', 'a.b.c')`);
      await signInAs('ada');
      await isSignedIn();
      expect(await stored()).toBe('[{"consent":"1","signed-in":"1"},{}]');
    });

    it.each([ADMIN, SWAGGER])('says that it was denied: $path', async (where) => {
      await open(where);
      await begin();
      await page.getByText('[ Cancel ]').click();
      await says(CANCELLED);
      expect(page.url()).toBe(service.url + where.path);
    });

    it('says nothing when one comes back without an answer, and begins anew', async () => {
      await open(ADMIN, '#/people');
      await begin();
      await page.getByPlaceholder('Enter any login').waitFor();
      await page.goBack();
      await sees('[role=status]', 'Sign in to administer people and workspaces.');
      await signInAs('ada');
      await isSignedIn();
      expect(page.url()).toBe(`${service.url}/admin#/people`);
    });

    it.each([ADMIN, SWAGGER])('says that the directory does not know the user: $path', async (where) => {
      await open(where);
      await signInAs('nobody');
      await says(UNKNOWN_USER);
      await isSignedOut();
      expect(await stored()).toBe('[{"consent":"1"},{}]');
    });

    it('says that the page is for administrators only', async () => {
      await open(ADMIN);
      await signInAs('ben');
      await says(
        /^You are signed in as .?Ben.?\. Only an administrator, or somebody with the permission to read, can use this page\.$/,
      );
      const asked = page.waitForRequest(/\/auth\?.*prompt=select_account/);
      await page.getByRole('button', { name: 'Use another account' }).click();
      await asked;
    });

    it.each([7_200_000, -7_200_000])('does not mind a browser whose clock is %i ms ahead', async (clockAheadMs) => {
      await open(ADMIN, '', { clockAheadMs });
      await signInAs('ada');
      await isSignedIn();
    });

    it('says that the clock of the provider is ahead', async () => {
      await provider.set({ aheadMs: 600_000 });
      await open(ADMIN);
      await signInAs('ada');
      await says('The clock of the sign-in of your organisation is ahead of that of this service.');
    });

    it('says that the provider does not answer any more', async () => {
      await open(ADMIN);
      await page.route('**/token', (route) => route.abort());
      await signInAs('ada', 1);
      await says(AWAY);
      await page.unroute('**/token');
      await begin();
      await page.getByRole('button', { name: 'Continue' }).click();
      await isSignedIn();
    });

    it.each([ADMIN, SWAGGER])('takes no answer that was not asked for in this tab: $path', async (where) => {
      await open(where, '?code=stolen&state=any#token=a.b.c');
      await says(NOT_BEGUN_HERE);
      expect(page.url()).toBe(service.url + where.path);
      await page.goto(`${service.url}${where.path}?error=Call+us&state=any`);
      await says(NOT_BEGUN_HERE);
      expect(sent).toEqual([]);
    });
  });

  describe('as a client that the provider does not know', () => {
    withSettings({ OIDC_CLIENT_ID: 'somebody' });

    it('ends at the provider, from where one can go back', async () => {
      await open(ADMIN);
      await begin();
      await page.getByText('invalid_client').first().waitFor();
      await page.goBack();
      await isSignedOut();
    });
  });

  describe('as a client that should have a secret', () => {
    withSettings({ OIDC_CLIENT_ID: 'with-secret' });

    it('says so', async () => {
      await open(ADMIN);
      await signInAs('ada');
      await says(/^The sign-in of your organisation does not know this page as a client \(.?invalid_client.?\)\./);
    });
  });

  describe('while the provider is away', () => {
    withSettings({ OIDC_ISSUER: 'http://127.0.0.1:9' });

    it.each([
      [ADMIN, 'The service did not accept this token.'],
      [SWAGGER, 'The service did not accept your token.'],
    ])('says so, and a token still works: %j', async (where, refusal) => {
      await open(where);
      await begin();
      await says(AWAY);
      await page.getByText('Use a token').click();
      await page.getByLabel('Access token').fill('a.b.c');
      await page.keyboard.press('Enter');
      await says(refusal);
    });
  });
});
