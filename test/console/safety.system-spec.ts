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

  it('shows ids, names and reasons of every kind as text, and opens each by its link', async () => {
    const post = (path: string, body: object) => calls.call('POST', path, body);
    await post('/api/permissions', { id: 'held', grants: 'guest' });
    const ids = {
      permissions: await made((id) => post('/api/permissions', { id, description: id, grants: 'guest' })),
      workspaces: await made((id) => post('/api/workspaces', { id, name: id })),
      groups: await made((id) => post('/api/groups', { id, name: id, workspace: 'cosmos' })),
      people: await made((id) => post('/api/users', { id, displayName: id, workspaces: ['cosmos'] })),
    };
    for (const accepted of Object.values(ids)) expect(accepted.length).toBeGreaterThan(45);
    await post('/api/users/workspace-assign', {
      userIds: ids.people,
      workspaces: [...ids.workspaces, 'cosmos'],
      groups: ids.groups,
    });
    for (const reason of HOSTILE_TEXTS)
      await post('/api/users/status-assign', { userIds: ['dee'], status: 'inactive', reason }).then(() =>
        post('/api/users/status-assign', { userIds: ['dee'], status: 'active', reason }),
      );
    const suspended = await calls.done<{ entries: { reason: string | null }[] }>(
      'GET',
      '/api/journal?user=dee&limit=200&action=user.status.changed',
    );
    const reasons = [...new Set(suspended.entries.flatMap(({ reason }) => reason ?? []))];
    expect(reasons.length).toBeGreaterThan(45);

    person = await Administrator.at(browser, service);
    const { page } = person;
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => (dialogs.push(dialog.message()), void dialog.dismiss()));
    const goTo = (address: string) => page.evaluate(`location.hash = ${JSON.stringify(address)}`);
    /** Presses "Show more" until there is no more. */
    const showAll = () =>
      until(
        page,
        `(() => {
        if (!document.querySelector('main a') || document.querySelector('.skeleton')) return false;
        const more = [...document.querySelectorAll('main button')].find((button) => button.textContent === 'Show more');
        more?.click();
        return more === undefined;
      })()`,
      );
    for (const kind of ['people', 'workspaces', 'permissions'] as const) {
      await goTo(`#/${kind}`);
      await showAll();
      await until(page, `${missingFrom(ids[kind])}.length === 0`);
      const links = (await page.evaluate(
        `[...document.querySelectorAll('main a')].map((a) => a.getAttribute('href'))`,
      )) as string[];
      expect(links).toEqual(expect.arrayContaining(ids[kind].map((id) => `#/${kind}/${encodeURIComponent(id)}`)));
    }
    for (const [kind, accepted] of Object.entries(ids))
      for (const id of accepted) {
        await goTo(`#/${kind}/${encodeURIComponent(id)}`);
        await until(page, isHeading(id));
      }
    await goTo('#/history?user=dee');
    await until(page, `document.querySelector('td.what')`);
    await showAll();
    await until(page, `${missingFrom(reasons)}.length === 0`);
    expect(await page.evaluate('String(globalThis.hacked)')).toBe('undefined');
    expect(dialogs).toEqual([]);
  });

  it('keeps the token in its memory alone', async () => {
    person = await Administrator.at(browser, service, { address: '#/people/ben' });
    const { page } = person;
    const token = service.tokenOf('ada');
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    const signature = token.split('.')[1] ?? '';
    const keeps = async () => ((await page.evaluate(KEPT)) as string).includes(signature);
    await person.sees('workspace.manage');
    expect(await keeps()).toBe(false);
    await page.route('**/api/workspaces*', (route) =>
      route.fulfill({ status: 500, body: '{"status":500,"message":"no"}' }),
    );
    await page.evaluate(`location.hash = '#/workspaces'`);
    await page.getByRole('alert').waitFor();
    expect(await keeps()).toBe(false);
    await page.goBack();
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
