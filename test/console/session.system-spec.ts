import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';
import { Calls } from './calls';
import { until } from './until';

/** What the browser says about answers of failure. */
const REFUSED = /^Failed to load resource/;
const isEnded = (page: Page) => page.getByRole('heading', { name: 'Your session has ended' });

describeInBrowser('staying signed in at the page for administrators', () => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let calls: Calls;
  let complaints: string[];

  beforeAll(async () => {
    service = await startDemoService();
    calls = new Calls(service);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en' });
    complaints = [];
  });
  afterEach(async () => {
    await context.close();
    expect(complaints.filter((text) => !REFUSED.test(text))).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function open(address: string): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(service.url + address);
    return page;
  }
  const withToken = async (user = 'ada', options?: Parameters<TestService['tokenOf']>[1]) => {
    const page = await open(`/admin#token=${service.tokenOf(user, options)}`);
    await page.locator('nav').waitFor();
    await goTo(page, '#/people');
    return page;
  };
  const openMenu = (page: Page) => page.locator('.session summary').click();
  const shows = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
  const goTo = (page: Page, address: string) => page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  const isSignedOut = (page: Page) => page.getByLabel('Access token').waitFor();
  async function pasteToken(page: Page, token: string): Promise<void> {
    await page.getByLabel('Access token').fill(token);
    await page.keyboard.press('Enter');
  }

  it('survives a reload, a click that opens a new tab and a link, and ends in all tabs with signing out', async () => {
    const first = await withToken();
    await shows(first, 'People');
    await goTo(first, '#/people/ben');
    await shows(first, 'Ben');
    await first.reload();
    await shows(first, 'Ben');
    const second = await open('/admin#/people/cyd');
    await shows(second, 'Cyd');
    const third = context.waitForEvent('page');
    await second
      .getByRole('link', { name: 'Borealis' })
      .first()
      .click({ modifiers: ['ControlOrMeta'] });
    await shows(await third, 'Borealis');
    await openMenu(second);
    await second.getByRole('button', { name: 'Sign out' }).click();
    for (const page of [first, second, await third]) await page.getByText('You have signed out.').waitFor();
    await first.reload();
    await isSignedOut(first);
    expect(await first.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe('[{},{}]');
  });

  it('gives nothing to a page of another origin', async () => {
    const page = await withToken();
    await shows(page, 'People');
    const server = createServer((_, response) => response.end('<!doctype html><title>x</title>')).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const other = await context.newPage();
    await other.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const heard = await other.evaluate(`new Promise((done) => {
      const channel = new BroadcastChannel('user-administration');
      const heard = [];
      channel.onmessage = ({ data }) => heard.push(data);
      channel.postMessage({ kind: 'ask' });
      setTimeout(() => done(heard), 600);
    })`);
    expect(heard).toEqual([]);
    server.close();
    await once(server, 'close');
  });

  it('stays with the person whom a tab shows', async () => {
    const ada = await withToken('ada');
    await shows(ada, 'People');
    const zoe = await withToken('zoe', { expiresIn: 100_000 });
    await zoe.locator('.session', { hasText: 'Zoe' }).waitFor();
    await ada.reload();
    await ada.locator('.session', { hasText: 'Ada' }).waitFor();
  });

  it('says five minutes and a minute before that a session ends', async () => {
    const page = await withToken('ada', { expiresIn: 302 });
    await page.getByText('Your session ends in 5 minutes.').waitFor();
    await page.evaluate('{ const { now } = Date; Date.now = () => now() + 240_000; }');
    await page.getByText('Your session ends in a minute.').waitFor();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await pasteToken(page, service.tokenOf('ada'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await shows(page, 'People');
  });

  it('asks to sign in over the page when the session has ended: what was typed stays, and is sent with its key', async () => {
    // Long enough for a busy machine to fill in the form before the end.
    const page = await withToken('ada', { expiresIn: 10 });
    await goTo(page, '#/workspaces');
    await page.getByRole('button', { name: 'New workspace' }).click();
    await page.getByLabel('Name').fill('Over the end');
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
    });
    // The request is on its way when the token ends.
    await page.route('**/api/workspaces', async (route) => {
      if (route.request().method() === 'POST') await isEnded(page).waitFor();
      await route.continue();
    });
    await page.getByRole('button', { name: 'Create' }).click();
    await isEnded(page).waitFor();
    await page.unroute('**/api/workspaces');
    await pasteToken(page, 'a.b.c');
    await page.getByRole('alert').waitFor();
    // The service has answered, although it gives no news any more.
    expect(await page.locator('.away').textContent()).toBe('');
    expect(await page.getByLabel('Name').inputValue()).toBe('Over the end');
    await pasteToken(page, service.tokenOf('ada'));
    await shows(page, 'Over the end');
    expect(new Set(keys).size).toBe(1);
    const { workspaces } = await calls.done<{ workspaces: object[] }>('GET', '/api/workspaces?search=Over');
    expect(workspaces).toHaveLength(1);
  });

  it('keeps what was typed into a new person where the script came late, and saves it once', async () => {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    // The page tells the clock of the service, and is there long before its script.
    await page.route('**/page.js', async (route) => {
      await new Promise((done) => setTimeout(done, 5_000));
      await route.continue();
    });
    const token = service.tokenOf('ada', { expiresIn: 20 });
    await page.goto(`${service.url}/admin#token=${token}`);
    await page.locator('nav').waitFor();
    await goTo(page, '#/people');
    await shows(page, 'People');
    await page.getByRole('button', { name: 'New person' }).click();
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
    await name.fill('Late Comer');
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
    });
    while ((await calls.call('GET', '/api/me', undefined, token)).status === 200);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await isEnded(page).waitFor();
    expect(await name.inputValue()).toBe('Late Comer');
    await pasteToken(page, service.tokenOf('ada'));
    await shows(page, 'Late Comer');
    expect(new Set(keys).size).toBe(1);
    const { users } = await calls.done<{ users: object[] }>('GET', '/api/users?search=Late%20Comer');
    expect(users).toHaveLength(1);
  });

  it('shows one sentence to who has taken their own power away', async () => {
    await calls.done('POST', '/api/users', { id: 'max', displayName: 'Max', permissions: ['users.administer'] });
    const page = await withToken('max');
    await shows(page, 'People');
    await calls.done('PATCH', '/api/users/max', { permissions: [] });
    await goTo(page, '#/workspaces/atlas');
    await page
      .getByText(
        /^You are signed in as .?Max.?\. Only an administrator, or somebody with the permission to read, can use this page\.$/,
      )
      .waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
  });

  it('works from memory where the browser blocks site data', async () => {
    await context.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError'); } });`);
    const page = await withToken();
    await shows(page, 'People');
    await openMenu(page);
    await page.getByLabel('Language').selectOption('de');
    await shows(page, 'Personen');
    await openMenu(page);
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.locator('input[type=password]').waitFor();
  });

  it('remembers the language of the browser that was chosen', async () => {
    const page = await withToken();
    await openMenu(page);
    await page.getByLabel('Language').selectOption('de');
    await shows(page, 'Personen');
    const other = await open('/admin#/people');
    await shows(other, 'Personen');
    await until(other, `document.documentElement.lang === 'de'`);
  });

  it('has no barriers in the dialog', async () => {
    const person = await Administrator.at(browser, service);
    await person.page.evaluate('{ const { now } = Date; Date.now = () => now() + 1e9; }');
    await isEnded(person.page).waitFor();
    expect(await person.barriers()).toEqual([]);
    await person.close();
  });
});
