import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';
import { Calls } from './calls';
import { until } from './until';

/** What can be pressed on each page, and in the head of all. */
const REGISTER =
  'Who has what: each permission, workspace and group of these people, since when, until when, by whom and why (CSV)';
const TO_BE_IMPORTED = 'To be imported: id, address, name, status and end (CSV)';
const CAN_BE_PRESSED = {
  '#/people': [
    'All that match, as CSV',
    'With their places (the first 1,000)',
    REGISTER,
    TO_BE_IMPORTED,
    'Person ↕',
    'Last change ↕',
  ],
  '#/people/ben': ['Copy'],
  '#/people/nobody': [],
  '#/workspaces': [],
  '#/workspaces/atlas': [REGISTER],
  '#/groups/atlas-managers': [REGISTER],
  '#/permissions': [],
  '#/permissions/content.read': [REGISTER],
  '#/history': [
    'Export',
    'Today',
    '7 days',
    'This month',
    'by me',
    'and what follows from it (1)',
    'and what follows from it (32)',
  ],
  '#/start': [],
  '#/connections': [],
  '#/import': [],
  '#/webhooks': [],
};
const HEAD = ['Keys ?', 'Sign out'];

describeInBrowser('the page for people who may only read', () => {
  let service: TestService;
  let browser: Browser;
  let reader: Administrator;
  let calls: Calls;
  /** What was asked of the service other than to read, and what it forbade. */
  let wrong: string[];

  beforeAll(async () => {
    service = await startDemoService();
    calls = new Calls(service);
    await calls.done('POST', '/api/permissions', { id: 'users.read', grants: 'guest' });
    await calls.done('POST', '/api/users', { id: 'rita', displayName: 'Rita', permissions: ['users.read'] });
    await calls.done('POST', '/api/users', { id: 'max', permissions: ['users.administer', 'users.read'] });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterEach(async () => {
    const complaints = reader.complaints.filter((complaint) => !/status of 40[34]/.test(complaint));
    await reader.close();
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = async (user: string) => {
    reader = await Administrator.at(browser, service, { user });
    wrong = [];
    reader.page.on('response', (response) => {
      const request = response.request();
      if (request.method() !== 'GET' || response.status() === 403) wrong.push(`${request.method()} ${request.url()}`);
    });
    await reader.sees('Ada');
  };
  const visit = async (address: string) => {
    await reader.page.evaluate(`location.hash = ${JSON.stringify(address)}`);
    await reader.page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    await until(reader.page, `document.querySelector('main :is(h1, .empty)') && !document.querySelector('.skeleton')`);
  };

  it('shows them everything, and nothing that changes anything', async () => {
    await open('rita');
    expect(await reader.page.locator('nav a').allInnerTexts()).toEqual([
      'Start',
      'People',
      'Workspaces',
      'Permissions',
      'History',
    ]);
    const seen: Record<string, unknown> = {};
    for (const address of Object.keys(CAN_BE_PRESSED)) {
      await visit(address);
      seen[address] = await reader.page
        .locator('main :is(button, input:is([type=checkbox], [type=radio]), textarea), dialog')
        .evaluateAll((elements) => elements.map((element) => element.textContent?.trim()));
      expect(await reader.barriers()).toEqual([]);
    }
    expect(seen).toEqual(CAN_BE_PRESSED);
    await reader.page.locator('.session summary').click();
    expect(await reader.page.locator('header button').allInnerTexts()).toEqual(HEAD);
    expect(wrong).toEqual([]);
  });

  it.each([
    ['max', ['/ Ctrl + K', '↑ ↓', 'Enter', 'Shift + click', 'Ctrl + Enter', 'Ctrl + Z', 'Esc', '?']],
    ['rita', ['/ Ctrl + K', '↑ ↓', 'Enter', 'Esc', '?']],
  ])('tells the keys that serve %s, who changes things or only looks', async (user, keys) => {
    await open(user);
    await reader.page.evaluate('document.activeElement.blur()');
    await reader.press('?');
    expect(await reader.page.locator('dialog kbd').allInnerTexts()).toEqual(keys);
  });

  it('lets them read the history, and who somebody is and why', async () => {
    await open('rita');
    await visit('#/people/cyd');
    // The name takes the place of the id once it has arrived, and nothing can be pressed beside it.
    await until(reader.page, `document.querySelector('.memberships th')?.innerText === 'Borealis'`);
    await visit('#/history');
    await reader.sees(/Rita/);
    for (const address of ['#/connections', '#/webhooks']) {
      await visit(address);
      await reader.sees('There is no such page.');
    }
  });

  it('takes the acts away from an administrator who may only read from now on', async () => {
    await open('max');
    await visit('#/people/ben');
    await reader.page.getByRole('button', { name: 'Edit' }).waitFor();
    await calls.done('PATCH', '/api/users/max', { permissions: ['users.read'] });
    await visit('#/webhooks');
    await reader.sees('There is no such page.');
    await visit('#/people/ben');
    expect(await reader.page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  });
});
