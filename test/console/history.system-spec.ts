import { readFileSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';

/** The sentences of what happened, newest first. */
const sentencesOf = ({ page }: Administrator) => page.locator('td.what').allInnerTexts();

/** What the changes of the first test look like, newest first. */
const SENTENCES = [
  'Zoe deleted the connection Okta 2',
  'Zoe renewed the token of the connection <id>',
  'Zoe changed the connection Okta 2',
  'Zoe made the connection Okta',
  'Zoe deleted the webhook https://h.example/y',
  'Zoe renewed the secret of the webhook <id>',
  'Zoe changed the webhook https://h.example/y',
  'Zoe disabled the webhook https://h.example/x',
  'Zoe registered the webhook https://h.example/x',
  'Zoe deleted the permission reports',
  'Zoe deleted the group Y (delta)',
  'Zoe deleted the workspace Delta 2',
  'Zoe changed the permissions of delta-x (delta): content.read instead of reports',
  'Zoe gave delta-x (delta) the permission reports',
  'Zoe changed the name of Y (delta) from X to Y',
  'Zoe created the group X (delta)',
  'Zoe gave delta the permissions content.read and reports',
  'Zoe changed the name of Delta 2 from Delta to Delta 2',
  'Zoe created the workspace Delta',
  'Zoe changed the description of reports to All reports',
  'Zoe changed what reports grants from manager to member',
  'Zoe created the permission reports (grants: manager)',
  'Zoe changed the id of Fay F. from fay to fay.f',
  'Zoe changed the name of Fay F. to Fay F., and the email address to f@example.com',
  'Zoe changed the email address of fay from fay@example.com to –',
  'Zoe changed the name of Faye from Fay to Faye',
  'fay became a member (was manager), by Zoe',
  'Zoe took the permission workspace.manage from fay',
  'Zoe changed the permissions of fay',
  'fay became a manager (was member), by Zoe',
  'Zoe gave fay the permissions content.read and workspace.manage',
  'Zoe changed the permissions of fay',
  'Zoe made a link that activates fay, valid until <time>',
  'fay was suspended by Zoe',
  'Zoe took fay out of Borealis and Editors (Borealis)',
  'fay became a member (was guest), by Zoe',
  'Zoe added fay to Atlas, Borealis, Editors (Atlas), and 1 more',
  'Zoe created Fay',
];

/** What no directory of the demo has written. */
const ENTRY = {
  at: '2030-01-01T12:00:00.000Z',
  actor: { kind: 'service', id: 'payroll' },
  grantedBy: null,
  user: 'ben',
  workspaces: [],
  before: null,
  after: null,
  reason: null,
  requestId: null,
};
const STRANGE_ENTRIES = [
  { ...ENTRY, id: '6', action: 'user.praised', after: { praise: ['much'] } },
  { ...ENTRY, id: '5', action: 'user.status.changed', after: { status: 'active' }, grantedBy: 'zoe' },
  {
    ...ENTRY,
    id: '4',
    action: 'user.workspaces.assigned',
    actor: { kind: 'connection', id: 'okta' },
    after: { workspaces: ['atlas', 'borealis', 'cosmos', '<img src=x onerror=alert(1)>'], groups: ['g'], more: 1000 },
  },
  { ...ENTRY, id: '3', action: 'user.deleted', user: 'gone', before: { displayName: 'Gone <b>' } },
  { ...ENTRY, id: '2', action: 'user.deleted', user: 'gone', before: {}, erased: true },
  { ...ENTRY, id: '1', action: 'user.type.changed', user: 'gone', before: null, after: null },
];

describeInBrowser('the page of what happened', () => {
  let service: TestService;
  let browser: Browser;
  let person: Administrator;

  beforeAll(async () => {
    service = await startDemoService();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterEach(async () => {
    expect(person.complaints).toEqual([]);
    await person.close();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const at = async (address: string, options: object = {}) =>
    (person = await Administrator.at(browser, service, { address, ...options }));

  /** Changes something as an administrator of another page. */
  async function send<Answer>(method: string, path: string, body?: object, user = 'zoe'): Promise<Answer> {
    const response = await fetch(`${service.url}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${service.tokenOf(user)}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return (text ? JSON.parse(text) : undefined) as Answer;
  }
  const suspend = (userIds: string[], reason?: string) =>
    send('POST', 'users/status-assign', { userIds, status: 'inactive', reason });
  const activate = (userIds: string[], reason?: string) =>
    send('POST', 'users/status-assign', { userIds, status: 'active', reason });
  const rowsAre = (count: number) =>
    person.page.locator(`table.history tbody tr:nth-child(${count}):last-child`).waitFor();

  /** Until a request waits at the service for what happens next. */
  async function followDee() {
    await at('');
    const waiting = person.page.waitForRequest((request) => request.url().includes('wait=20'));
    await person.page.evaluate(`location.hash = '#/history?user=dee'`);
    await waiting;
  }

  it('tells each action as a sentence with names and places', async () => {
    await send('POST', 'users', { id: 'fay', displayName: 'Fay', email: 'fay@example.com' });
    await send('POST', 'users/workspace-assign', {
      userIds: ['fay'],
      workspaces: ['atlas', 'borealis'],
      groups: ['atlas-editors', 'borealis-editors'],
      reason: 'new',
    });
    await send('POST', 'users/workspace-unassign', { userIds: ['fay'], workspaces: ['borealis'] });
    await suspend(['fay'], 'left the company');
    const { token } = await send<{ token: string }>('POST', 'users/status-tokens', { id: 'fay', status: 'active' });
    await send('POST', 'users/manage-status', { id: 'fay', token }, 'ada');
    await send('PATCH', 'users/fay', { permissions: ['workspace.manage', 'content.read'] });
    await send('PATCH', 'users/fay', { permissions: ['content.read'] });
    await send('PATCH', 'users/fay', { displayName: 'Faye' });
    await send('PATCH', 'users/fay', { email: null });
    await send('PATCH', 'users/fay', { displayName: 'Fay F.', email: 'f@example.com' });
    await send('POST', 'users/fay/rename', { id: 'fay.f' });
    await send('POST', 'permissions', { id: 'reports', description: 'Reports', grants: 'manager' });
    await send('PATCH', 'permissions/reports', { grants: 'member' });
    await send('PATCH', 'permissions/reports', { description: 'All reports' });
    await send('POST', 'workspaces', { id: 'delta', name: 'Delta' });
    await send('PATCH', 'workspaces/delta', { name: 'Delta 2' });
    await send('PATCH', 'workspaces/delta', { permissions: ['reports', 'content.read'] });
    await send('POST', 'groups', { id: 'delta-x', name: 'X', workspace: 'delta' });
    await send('PATCH', 'groups/delta-x', { name: 'Y' });
    await send('PATCH', 'groups/delta-x', { permissions: ['reports'] });
    await send('PATCH', 'groups/delta-x', { permissions: ['content.read'] });
    await send('DELETE', 'workspaces/delta');
    await send('DELETE', 'permissions/reports');
    const webhook = await send<{ id: string }>('POST', 'webhooks', {
      url: 'https://h.example/x',
      events: ['user.created'],
    });
    await send('PATCH', `webhooks/${webhook.id}`, { enabled: false });
    await send('PATCH', `webhooks/${webhook.id}`, { url: 'https://h.example/y' });
    await send('POST', `webhooks/${webhook.id}/secret`, {});
    await send('DELETE', `webhooks/${webhook.id}`);
    const connection = await send<{ id: string }>('POST', 'scim-connections', { name: 'Okta', workspace: 'atlas' });
    await send('PATCH', `scim-connections/${connection.id}`, { name: 'Okta 2' });
    await send('POST', `scim-connections/${connection.id}/token`, {});
    await send('DELETE', `scim-connections/${connection.id}`);

    await at('#/history?actor=zoe');
    // The last of the names that the page asks for.
    await person.sees('Editors');
    await person.page.getByRole('link', { name: 'Borealis' }).first().waitFor();
    const sentences = await sentencesOf(person);
    expect(
      sentences.map((text) =>
        text.replace(/[0-9a-f]{8}(-[0-9a-f]{4,12}){4}/, '<id>').replace(/until .+$/, 'until <time>'),
      ),
    ).toEqual(SENTENCES);

    await person.sees('Live');
    await send('DELETE', 'users/fay.f?erase=true');
    await person.page.getByRole('cell', { name: /^Zoe erased the personal data of/ }).waitFor();
    expect((await sentencesOf(person))[1]).toMatch(/^Zoe deleted Fay F\.( \(erased\))?$/);
  });

  it('tells what it does not know as plainly, with the names that are left', async () => {
    await at('');
    await person.page.route(/\/api\/journal(\?|$)/, (route, request) => {
      const isFollowing = request.url().includes('after=');
      return route.fulfill({
        json: isFollowing ? { entries: [], next: '6-0' } : { entries: STRANGE_ENTRIES, next: null },
      });
    });
    await person.page.evaluate(`location.hash = '#/history'`);
    await person.sees('Ben was activated by payroll (service) (with a token of Zoe)');
    await person.page.locator('td.what a[title="gone"]').first().waitFor({ state: 'detached' });
    expect(await sentencesOf(person)).toEqual([
      'payroll (service) made a change: user.praised',
      'Ben was activated by payroll (service) (with a token of Zoe)',
      'okta (connection) added Ben to Atlas, Borealis, Cosmos, and 1,002 more',
      'payroll (service) deleted Gone <b>',
      'payroll (service) deleted gone (erased)',
      'payroll (service) changed gone',
    ]);
  });

  it('shows what happens without a reload, and moves nothing that somebody reads', async () => {
    await at('#/history');
    await person.sees('Live');
    await suspend(['cyd'], 'on leave');
    await person.sees('Cyd was suspended by Zoe');
    expect((await sentencesOf(person))[0]).toBe('Cyd was suspended by Zoe');

    const button = person.page.locator('td.undo button').first();
    await button.focus();
    const before = await button.boundingBox();
    await activate(['cyd']);
    await suspend(['cyd']);
    await person.page.getByRole('status').getByRole('button', { name: 'Show 2 new changes' }).waitFor();
    expect(await button.boundingBox()).toEqual(before);
    expect((await sentencesOf(person)).slice(0, 1)).toEqual(['Cyd was suspended by Zoe']);

    await person.click('button', 'Show 2 new changes');
    await person.page.getByRole('button', { name: /new change/ }).waitFor({ state: 'detached' });
    expect((await sentencesOf(person)).slice(0, 3)).toEqual([
      'Cyd was suspended by Zoe',
      'Cyd was activated by Zoe',
      'Cyd was suspended by Zoe',
    ]);
    expect(await person.page.evaluate('document.activeElement.tagName')).toBe('H1');
    await activate(['cyd']);
  });

  it('says when it cannot follow, and goes on by itself', async () => {
    await followDee();
    const away = (address: URL) => address.searchParams.has('after');
    await person.page.route(away, (route) => route.abort());
    await suspend(['dee']);
    await person.sees('Dee was suspended by Zoe');
    await person.sees('Not live at the moment: new changes do not appear');
    await activate(['dee']);
    await person.page.unroute(away);
    await person.sees('Dee was activated by Zoe');
    await person.page.getByText('Live', { exact: true }).waitFor();
    expect(person.complaints.splice(0)).toContainEqual('Failed to load resource: net::ERR_FAILED');
  });

  it('rests while the tab is hidden, and then catches up', async () => {
    await followDee();
    const turn = (state: 'hidden' | 'visible') =>
      person.page
        .evaluate(`Object.defineProperty(document, 'hidden', { value: ${state === 'hidden'}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));`);
    const asked: string[] = [];
    const stopped = person.page.waitForEvent('requestfailed');
    await turn('hidden');
    await stopped;
    person.page.on('request', (request) => asked.push(request.url()));
    await suspend(['dee'], 'while nobody looked');
    await activate(['dee'], 'while nobody looked');
    expect(asked).toEqual([]);
    await turn('visible');
    await person.page.getByText('while nobody looked').nth(1).waitFor();
  });

  it('undoes the change of a row, and tells of one that cannot be undone', async () => {
    await suspend(['dee'], 'by mistake');
    await at('#/history?user=dee');
    await person.click('button', 'Undo');
    const dialog = person.page.getByRole('dialog');
    await dialog.getByText('Dee was suspended by Zoe: by mistake').waitFor();
    await person.click('button', 'Undo', dialog);
    await dialog.waitFor({ state: 'detached' });
    expect(person.actions).toBe(2);
    await person.click('button', 'Show 1 new change');
    await person.page.getByRole('cell', { name: 'Dee was activated by Ada' }).waitFor();
    await person.close();

    await at('#/history?user=eve&action=user.type.changed');
    await person.click('button', 'Undo');
    await person.sees('This change cannot be undone here.');
    expect(person.complaints.splice(0)).toEqual([
      'Failed to load resource: the server responded with a status of 409 (Conflict)',
    ]);
  });

  it('filters by person, place, administrator, kind and day, each a word that can be taken away', async () => {
    await at('#/history');
    await person.type('Person', 'eve@');
    await person.click('option', /Eve/);
    await person.sees('Person: Eve');
    await rowsAre(4);
    const kind = person.page.locator('.filters select');
    await kind.selectOption({ label: 'Suspended or activated' });
    await rowsAre(2);
    await kind.selectOption({ label: 'Person created' });
    await rowsAre(3);
    expect(await person.page.evaluate('location.hash')).toBe(
      '#/history?user=eve&action=user.status.changed&action=user.created',
    );
    await person.page.goBack();
    await rowsAre(2);
    await person.page.goForward();
    await rowsAre(3);
    await person.click('button', /Remove the filter .Suspended or activated/);
    await rowsAre(1);
    await person.click('button', /Remove the filter .Person.$/);
    await person.click('button', /Remove the filter .Person created/);
    await person.page.waitForURL(/#\/history$/);

    await person.type('Workspace', 'cosm');
    await person.page.getByRole('listbox').getByRole('option').waitFor();
    await person.press('ArrowDown');
    await person.press('Enter');
    await person.sees('Workspace: Cosmos');
    // The Enter that ends a word of an input method belongs to it.
    await person.type('Changed by', 'demo');
    await person.page
      .getByRole('combobox', { name: 'Changed by' })
      .dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    await person.page
      .getByRole('combobox', { name: 'Changed by' })
      .dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    expect(await person.page.getByRole('combobox', { name: 'Changed by' }).inputValue()).toBe('demo');
    await person.type('Changed by', 'demo directory');
    await person.press('Enter');
    await person.sees('Changed by: demo directory');
    await rowsAre(4);
    await person.type('Until', '2020-01-01');
    await person.sees('Nothing is recorded that matches.');
    expect(await person.page.evaluate('location.hash')).toBe(
      '#/history?workspace=cosmos&actor=demo+directory&to=2020-01-01',
    );
  });

  it('takes days as those of the calendar of the browser, also the one with 23 hours', async () => {
    await at('', { timezoneId: 'Europe/Berlin' });
    const asked = person.page.waitForRequest(
      (request) => request.url().includes('limit=') && request.url().includes('from='),
    );
    await person.page.evaluate(`location.hash = '#/history?from=2030-03-31&to=2030-03-31'`);
    const { searchParams } = new URL((await asked).url());
    expect([searchParams.get('from'), searchParams.get('to')]).toEqual([
      '2030-03-30T23:00:00.000Z',
      '2030-03-31T22:00:00.000Z',
    ]);
    await person.sees('From: Mar 31, 2030');
  });

  it('saves what is shown as a file that no spreadsheet calculates', async () => {
    await suspend(['dee'], '=HYPERLINK("https://x.example")');
    await at('#/history?user=dee&action=user.status.changed');
    await person.page.locator('table.history').waitFor();
    const rows = await person.page.locator('table.history tbody tr').count();
    const download = person.page.waitForEvent('download');
    await person.click('button', `Save ${rows} rows as CSV`);
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^history-\d{4}-\d\d-\d\d\.csv$/);
    const text = readFileSync(await file.path(), 'utf8');
    expect(text.startsWith('\uFEFFtime,action,actor kind,actor,user,')).toBe(true);
    expect(text.split('\r\n')).toHaveLength(rows + 2);
    expect(text).toContain(
      `,user,zoe,dee,,"{""status"":""active""}","{""status"":""inactive""}","'=HYPERLINK(""https://x.example"")",`,
    );
    await activate(['dee']);
  });

  it('shows older entries page by page, and has no barriers, wide and narrow, light and dark', async () => {
    await at('#/history', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    await person.page.locator('table.history').waitFor();
    expect(await sentencesOf(person)).toHaveLength(50);
    expect(await person.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await person.barriers()).toEqual([]);
    await person.click('button', 'Show more');
    await person.page.locator('table.history tbody tr').nth(50).waitFor();
    await person.close();

    await at('#/history?user=eve&from=2026-01-01');
    await person.page.locator('table.history').waitFor();
    expect(await person.barriers()).toEqual([]);
  });
});
