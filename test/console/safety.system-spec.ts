import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';
import { Calls } from './calls';
import { until } from './until';
import { HOSTILE_TEXTS } from './hostile-texts';

const AT_ONCE = 6;
const EXPECTED = /^Failed to load resource/;

/** Whether these texts stand on the page as they are. White space is shown as one space. */
const missingFrom = (texts: string[]) => `(() => {
  const visible = (text) => text.replace(/\\s+/g, ' ').trim();
  const page = visible(document.querySelector('main').textContent);
  return ${JSON.stringify(texts)}.filter((text) => !page.includes(visible(text)));
})()`;
const isHeading = (text: string) => `(() => {
  const visible = (text) => text.replace(/\\s+/g, ' ').trim();
  const heading = document.querySelector('main h1');
  return heading !== null && !document.querySelector('.skeleton') && visible(heading.textContent).includes(visible(${JSON.stringify(text)}));
})()`;
/** Everything in the tab that outlives a call, and what it shows. */
const KEPT = `JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.cookie, document.title,
  document.documentElement.outerHTML, [...document.querySelectorAll('input')].map(({ value }) => value),
  performance.getEntriesByType('resource').map(({ name }) => name)])`;

describeInBrowser('the page for administrators is safe', () => {
  let service: TestService;
  let browser: Browser;
  let calls: Calls;
  let person: Administrator;
  const dialogs: string[] = [];

  beforeAll(async () => {
    service = await startDemoService();
    calls = new Calls(service);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(async () => {
    const unexpected = person.complaints.filter((complaint) => !EXPECTED.test(complaint));
    await person.close();
    expect(unexpected).toEqual([]);
  });

  /** Makes something of each text. @returns the texts that the service accepts */
  async function made(make: (text: string) => Promise<{ status: number }>): Promise<string[]> {
    const accepted: string[] = [];
    for (let from = 0; from < HOSTILE_TEXTS.length; from += AT_ONCE) {
      const texts = HOSTILE_TEXTS.slice(from, from + AT_ONCE);
      const answers = await Promise.all(texts.map(make));
      accepted.push(...texts.filter((_, index) => answers[index]?.status === 201));
    }
    return accepted;
  }

  const post = (path: string, body: object) => calls.call('POST', path, body);
  const goTo = (address: string) => person.page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  /** Presses "Show more" until there is no more. */
  const showAll = () =>
    until(
      person.page,
      `(() => {
        if (!document.querySelector('main a') || document.querySelector('.skeleton')) return false;
        const more = [...document.querySelectorAll('main button')].find((button) => button.textContent === 'Show more');
        more?.click();
        return more === undefined;
      })()`,
    );
  async function ranNothing(): Promise<void> {
    expect(await person.page.evaluate('String(globalThis.hacked)')).toBe('undefined');
    expect(dialogs).toEqual([]);
  }
  async function open(): Promise<void> {
    person = await Administrator.at(browser, service);
    person.page.on('dialog', (dialog) => (dialogs.push(dialog.message()), void dialog.dismiss()));
  }

  describe('with ids, names and reasons of every kind, which it shows as text', () => {
    const KINDS = ['people', 'workspaces', 'groups', 'permissions'] as const;
    const ids: Record<string, string[]> = {};

    beforeAll(async () => {
      ids.permissions = await made((id) => post('/api/permissions', { id, description: id, grants: 'guest' }));
      ids.workspaces = await made((id) => post('/api/workspaces', { id, name: id }));
      ids.groups = await made((id) => post('/api/groups', { id, name: id, workspace: 'cosmos', permissions: [id] }));
      ids.people = await made((id) =>
        post('/api/users', { id, displayName: id, workspaces: [id, 'cosmos'], groups: [id], permissions: [id] }),
      );
    });

    it.each(KINDS)('the cards of %s', async (kind) => {
      expect(ids[kind]?.length).toBeGreaterThan(40);
      await open();
      for (const id of ids[kind] ?? []) {
        await goTo(`#/${kind}/${encodeURIComponent(id)}`);
        await until(person.page, isHeading(id));
      }
      await ranNothing();
    });

    it.each(['people', 'workspaces', 'permissions'] as const)('the list of %s, with a link to each', async (kind) => {
      await open();
      await goTo(`#/${kind}`);
      await until(person.page, `location.hash === '#/${kind}'`);
      await showAll();
      await until(person.page, `${missingFrom(ids[kind] ?? [])}.length === 0`);
      const links = await person.page.evaluate(
        `[...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'))`,
      );
      const expected = ids[kind]?.map((id) => `#/${kind}/${encodeURIComponent(id)}`) ?? [];
      expect(links).toEqual(expect.arrayContaining(expected));
      await ranNothing();
    });

    it('the reasons in the history', async () => {
      const reasons: string[] = [];
      for (const [index, reason] of HOSTILE_TEXTS.entries()) {
        const status = index % 2 === 0 ? 'inactive' : 'active';
        const answer = await post('/api/users/status-assign', { userIds: ['dee'], status, reason });
        // Each must change something.
        if (answer.status === 200) reasons.push(reason);
        else await post('/api/users/status-assign', { userIds: ['dee'], status });
      }
      expect(reasons.length).toBeGreaterThan(40);
      await open();
      await goTo('#/history?user=dee');
      await until(person.page, `document.querySelector('td.what') !== null`);
      await showAll();
      await until(person.page, `${missingFrom(reasons)}.length === 0`);
      await ranNothing();
    });
  });

  it('keeps a pasted token in this tab alone, until one signs out', async () => {
    person = await Administrator.at(browser, service, { address: '#/people/ben' });
    const { page } = person;
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await person.sees('workspace.manage');
    const token = (await page.evaluate('sessionStorage.token')) as string;
    const signature = token.split('.')[2] ?? '';
    expect(signature).toHaveLength(43);
    const keeps = async () => ((await page.evaluate(KEPT)) as string).includes(signature);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).toBe('{}');
    await page.evaluate(`sessionStorage.removeItem('token')`);
    expect(await keeps()).toBe(false);
    await page.route('**/api/workspaces*', (route) =>
      route.fulfill({ status: 500, body: '{"status":500,"message":"no"}' }),
    );
    await page.evaluate(`location.hash = '#/workspaces'`);
    await page.getByRole('alert').waitFor();
    expect(await keeps()).toBe(false);
    await page.goBack();
    await page.locator('.session summary').click();
    await person.click('button', 'Sign out');
    await person.sees('You have signed out.');
    expect(await keeps()).toBe(false);
    await page.goBack();
    expect(page.url()).not.toContain('token');
    expect(said.join()).not.toContain(signature);
    expect(await page.context().cookies()).toEqual([]);
  });

  it('cannot be framed, and runs nothing but its own script', async () => {
    const answer = await fetch(`${service.url}/admin`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`frame-ancestors 'none'`);
    expect(policy).toContain(`default-src 'none'`);
    expect(policy).not.toMatch(/unsafe-|\*|http:|blob:/);
    person = await Administrator.at(browser, service);
    const page = await person.page.context().newPage();
    await page.setContent(`<iframe src="${service.url}/admin"></iframe>`);
    await until(page, 'window.frames.length === 1');
    const [, frame] = page.frames();
    await frame?.waitForLoadState();
    expect(frame?.url()).toBe('chrome-error://chromewebdata/');
    await page.close();
  });
});
