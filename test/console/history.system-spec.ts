import { readFileSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';
import { until } from './until';

/** The sentences of what happened, newest first. */
const sentencesOf = ({ page }: Administrator) => page.locator('.history .sentence').allInnerTexts();

/** Opens all acts. */
async function openAll({ page }: Administrator): Promise<void> {
  const closed = page.locator('td.what button[aria-expanded=false]');
  for (let count = await closed.count(); count > 0; count--) await closed.first().click();
  await page.locator('.history .skeleton').first().waitFor({ state: 'detached' });
}

/** What the changes of the first test look like, newest first. */
const SENTENCES = [
  'Zoe deleted the connection Okta 2',
  'Zoe renewed the token of the connection Okta 2',
  'Zoe changed the connection Okta 2',
  'Zoe made the connection Okta',
  'Zoe deleted the webhook https://h.example',
  'Zoe renewed the secret of the webhook https://h.example',
  'Zoe changed the webhook https://h.example',
  'Zoe disabled the webhook https://h.example',
  'Zoe registered the webhook https://h.example',
  'Zoe deleted the permission reports',
  'Zoe deleted the workspace Delta 2 (1 group)',
  'Zoe deleted the group Y (Delta 2)',
  'Zoe changed the permissions of Y (Delta 2): content.read instead of reports',
  'Zoe gave Y (Delta 2) the permission reports',
  'Zoe changed the name of Y (Delta 2) from X to Y',
  'Zoe created the group X (Delta 2)',
  'Zoe gave Delta 2 the permissions content.read and reports',
  'Zoe changed the name of Delta 2 from Delta to Delta 2',
  'Zoe created the workspace Delta',
  'Zoe changed the description of reports to All reports',
  'Zoe changed what reports grants from manager to member',
  'Zoe created the permission reports (grants: manager)',
  'Zoe changed the id of Fay F. from fay to fay.f',
  'Zoe changed the name of Fay F. to Fay F., and the email address to f@example.com',
  'Zoe changed the email address of fay from fay@example.com to –',
  'Zoe changed the name of Faye from Fay to Faye',
  'Zoe took the permission workspace.manage from fay',
  'fay became a member (was manager), by Zoe',
  'Zoe changed the permissions of fay',
  'Zoe gave fay the permissions content.read and workspace.manage',
  'fay became a manager (was member), by Zoe',
  'Zoe changed the permissions of fay',
  'Zoe made a token that activates fay, valid until <time>',
  'fay was suspended by Zoe',
  'Zoe took fay out of Borealis and Editors (Borealis)',
  'Zoe added fay to Atlas, Borealis, Editors (Atlas), and 1 more',
  'fay became a member (was guest), by Zoe',
  'Zoe created Fay',
];

/** What no directory of the demo has written. */
const ENTRY = {
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
].map((entry) => ({ ...entry, at: `2030-01-01T12:00:0${entry.id}.000Z` }));

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
    until(person.page, `document.querySelectorAll('.history tr.act').length === ${count}`);

  /** Until a request waits at the service for what happens next. */
  async function followDee() {
    await at('');
    const waiting = person.page.waitForRequest((request) => /user=dee.*wait=20/.test(request.url()));
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
    await openAll(person);
    const sentences = await sentencesOf(person);
    expect(sentences.map((text) => text.replace(/until .+$/, 'until <time>'))).toEqual(SENTENCES);

    await person.sees('Live');
    await send('DELETE', 'users/fay.f?erase=true');
    await person.click('button', /^Show \d+ new change/);
    await person.page.getByRole('cell', { name: /^Zoe erased the personal data of/ }).waitFor();
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
    // The log knows the name where the entry has none.
    await person.page.locator('td.what', { hasText: 'changed Gone <b>' }).waitFor();
    expect(await sentencesOf(person)).toEqual([
      'payroll (service) made a change: user.praised',
      'Ben was activated by payroll (service) (with a token of Zoe)',
      'okta (connection) added Ben to Atlas, Borealis, Cosmos, and 1,002 more',
      'payroll (service) deleted Gone <b>',
      'payroll (service) deleted Gone <b>',
      'payroll (service) changed Gone <b>',
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

    // The filter hides that this followed from a deletion.
    await send('POST', 'workspaces', { id: 'short', name: 'Short' });
    await send('POST', 'users/workspace-assign', { userIds: ['ben'], workspaces: ['short'] });
    await send('DELETE', 'workspaces/short');
    await at('#/history?user=ben&action=user.workspaces.unassigned');
    await person.click('button', 'Undo');
    await person.sees('This change cannot be undone here.');
    expect(person.complaints.splice(0)).toEqual([
      'Failed to load resource: the server responded with a status of 409 (Conflict)',
    ]);
  });

  it('filters by person, place, administrator, kind and day, each a word that can be taken away', async () => {
    await send('POST', 'users', { id: 'finn', displayName: 'Finn', email: 'finn@example.com' });
    await send('PATCH', 'users/finn', { email: 'finn@example.org' });
    await suspend(['finn']);
    await activate(['finn']);
    await at('#/history');
    await person.type('Person', 'finn@');
    await person.click('option', /Finn/);
    await person.sees('Person: Finn');
    await rowsAre(4);
    const kind = person.page.locator('.history-filters select');
    await kind.selectOption({ label: 'Suspended or activated' });
    await rowsAre(2);
    await kind.selectOption({ label: 'Person changed' });
    await rowsAre(3);
    expect(await person.page.evaluate('location.hash')).toBe(
      '#/history?user=finn&action=user.status.changed&action=user.updated',
    );
    await person.page.goBack();
    await rowsAre(2);
    await person.page.goForward();
    await rowsAre(3);
    await person.click('button', /Remove the filter .Suspended or activated/);
    await rowsAre(1);
    await person.click('button', /Remove the filter .Person.$/);
    await person.click('button', /Remove the filter .Person changed/);
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
    await rowsAre(1);
    await person.type('Until', '2020-01-01');
    await person.sees('Nothing is recorded that matches.');
    expect(await person.page.evaluate('location.hash')).toBe(
      '#/history?workspace=cosmos&actor=demo+directory&to=2020-01-01',
    );
  });

  it('takes days as those of the calendar of the browser, also the one with 23 hours', async () => {
    await at('', { timezoneId: 'Europe/Berlin' });
    const asked = person.page.waitForRequest((request) => request.url().includes('from=2030'));
    await person.page.evaluate(`location.hash = '#/history?from=2030-03-31&to=2030-03-31'`);
    const { searchParams } = new URL((await asked).url());
    expect([searchParams.get('from'), searchParams.get('to')]).toEqual([
      '2030-03-30T23:00:00.000Z',
      '2030-03-31T22:00:00.000Z',
    ]);
    await person.sees('From: Mar 31, 2030');
  });

  it('saves all that match as a file that no spreadsheet calculates, with sentences, names and addresses', async () => {
    await suspend(['dee'], '=HYPERLINK("https://x.example")');
    await at('#/history?user=dee&action=user.status.changed', { timezoneId: 'Europe/Berlin' });
    await person.page.locator('table.history').waitFor();
    const { entries } = await send<{ entries: { id: string }[] }>(
      'GET',
      'journal?user=dee&action=user.status.changed&limit=200',
    );
    const download = person.page.waitForEvent('download');
    await person.click('button', 'Export');
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^history-\d{4}-\d\d-\d\d\.csv$/);
    const text = readFileSync(await file.path(), 'utf8');
    const lines = text.split('\r\n');
    expect(lines).toHaveLength(entries.length + 2);
    expect(lines[0]).toBe(
      '\uFEFFtime,what happened,reason,person,email,workspaces,changed by,action,user id,workspace ids,actor kind,actor id,before,after,request id',
    );
    expect(lines[1]).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0[12]:00,Dee was suspended by Zoe,"'=HYPERLINK\(""https:\/\/x.example""\)",Dee,dee@example.com,,Zoe,user\.status\.changed,dee,,user,zoe,/,
    );
    await activate(['dee']);
  });

  describe('after one act for 260 people', () => {
    const crew = Array.from({ length: 260 }, (_, index) => `crew-${index}`);
    beforeAll(async () => {
      for (const id of crew) await send('POST', 'users', { id });
      await suspend(crew, 'the season is over');
      await suspend(['dee']);
    }, 120_000);
    const line = (text: string) => person.page.locator('.history tr', { hasText: text });

    it('is one line, which opens, and is undone for all of them by one button', async () => {
      await at('#/history?action=user.status.changed');
      await person.sees(/Zoe.? suspended 260 people/);
      await person.sees(/Dee.? was suspended by .?Zoe/);
      expect((await sentencesOf(person)).slice(0, 2)).toEqual(['Dee was suspended by Zoe', 'Zoe suspended 260 people']);
      await person.click('button', 'Show all 260');
      await person.page
        .getByText(/^.?crew-\d+.? was suspended by/)
        .nth(199)
        .waitFor();
      expect(await person.barriers()).toEqual([]);
      await person.click('button', 'Undo for 260 people');
      await person.sees('260 people become active');
      await person.click('button', 'Undo for 260 people', person.page.getByRole('dialog'));
      await person.page.getByRole('dialog').waitFor({ state: 'detached' });
      await person.click('button', /^Show \d+ new changes$/);
      await line('Ada activated 260 people').getByRole('button', { name: 'Undo for 260 people' }).waitFor();
      await line('Zoe suspended 260 people').getByText('(undone since)').waitFor();
      // What takes something away is red.
      const colours = await person.page
        .locator('.undo button')
        .evaluateAll((all) => all.map(({ className }) => className));
      expect(colours.slice(0, 2)).toEqual(['plain danger', 'plain']);
      expect(await line('Zoe suspended 260 people').getByRole('button', { name: /^Undo/ }).count()).toBe(0);
    });

    it('is saved whole, with progress, and can be cancelled', async () => {
      await at('#/history?action=user.status.changed');
      await person.sees('Zoe suspended 260 people');
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await person.page.route(/api\/journal\?.*limit=200.*cursor|api\/journal\?.*cursor.*limit=200/, async (route) => {
        await released;
        await route.continue().catch(() => undefined);
      });
      await person.click('button', 'Export');
      await person.click('button', 'Cancel (200 so far)');
      await person.page.getByRole('button', { name: 'Export' }).waitFor();
      release();
      const download = person.page.waitForEvent('download');
      await person.click('button', 'Export');
      const text = readFileSync(await (await download).path(), 'utf8');
      expect(text.split('\r\n').filter((row) => row.includes('the season is over'))).toHaveLength(260);
    });

    it('is found by a click on what people often want, and prints without buttons', async () => {
      await at('#/history');
      await person.click('button', 'by me');
      await person.sees('Changed by: Ada');
      // The table before stands until the page asks for another one.
      const answered = person.page.waitForResponse(/\/api\/journal\?.*\bfrom=/);
      await person.click('button', 'Today');
      await person.page.waitForURL(/#\/history\?actor=ada&from=\d{4}-\d\d-\d\d$/);
      await answered;
      await person.page.locator('table.history').waitFor();
      await person.page.emulateMedia({ media: 'print' });
      for (const button of await person.page.getByRole('button').all()) expect(await button.isVisible()).toBe(false);
      expect(await person.page.locator('table.history').isVisible()).toBe(true);
    });
  });

  it('tells an import by its numbers, an end by who had set it, and who became an administrator; the way back leads to the same rows', async () => {
    for (let times = 0; times < 40; times++) await (times % 2 ? activate : suspend)(['cyd']);
    await send('POST', 'workspaces', { id: 'legal', name: 'Legal' });
    await send('POST', 'users', { id: 'ingrid', displayName: 'Ingrid Kim' });
    await send('POST', 'users/workspace-assign', {
      userIds: ['ingrid'],
      workspaces: ['legal'],
      until: new Date(Date.now() + 2_000).toISOString(),
      reason: 'the audit is over then',
    });
    const ended = async () => {
      const { entries } = await send<{ entries: object[] }>(
        'GET',
        'journal?user=ingrid&action=user.workspaces.unassigned',
      );
      return entries.length > 0;
    };
    while (!(await ended())) await new Promise((done) => setTimeout(done, 200));
    await send('PATCH', 'users/ingrid', { permissions: ['users.administer'] });
    await send('PATCH', 'users/ingrid', { permissions: ['content.read'] });
    await send('DELETE', 'workspaces/legal', undefined);
    const rows = Array.from({ length: 120 }, (_, index) => `ivo-${index},active`);
    const file = ['id,status', ...rows, 'ingrid,inactive', ''].join('\n');
    const imported = await fetch(`${service.url}/api/imports?name=hr9.csv&reason=left`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.tokenOf('zoe')}`, 'content-type': 'text/csv' },
      body: file,
    });
    expect(imported.status).toBe(200);
    await send('POST', 'permissions', { id: 'users.read', grants: 'guest' });
    await send('PATCH', 'users/dee', { permissions: ['users.read'] });

    await at('#/history');
    await person.sees('Zoe made Dee an auditor');
    await person.sees('Zoe imported the file hr9.csv: 120 new, 1 suspended');
    await person.sees('Zoe made Ingrid Kim an administrator');
    await person.sees('The access of Ingrid Kim to Legal ended, as Zoe had set: the audit is over then');
    // Whom it would touch, and why it was done, before it is undone.
    const line = person.page.locator('.history tr', { hasText: 'hr9.csv' });
    await person.click('button', 'Undo', line);
    const dialog = person.page.getByRole('dialog');
    await person.sees('hr9.csv: 120 new, 1 suspended: left', dialog);
    await person.sees('1 person becomes active', dialog);
    await person.click('button', 'Undo', dialog);
    await dialog.waitFor({ state: 'detached' });
    await person.click('button', 'Show 1 new change');
    await line.getByText('(undone since)').waitFor();
    expect(await line.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await person.barriers()).toEqual([]);

    const acts = () => person.page.locator('.history tr.act').count();
    await person.page.getByRole('button', { name: 'Show more' }).waitFor();
    const first = await acts();
    await person.click('button', 'Show more');
    await until(person.page, `document.querySelectorAll('.history tr.act').length > ${first}`);
    await until(person.page, `history.state?.rows > 200`);
    const loaded = await acts();
    await person.page.evaluate(`location.hash = '#/people/ben'`);
    await person.page.getByRole('heading', { name: 'Ben' }).waitFor();
    await person.page.goBack();
    await rowsAre(loaded);
  });

  it('shows older entries page by page, draws no row twice, and has no barriers, wide and narrow', async () => {
    await at('#/history', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    await person.page.locator('table.history').waitFor();
    expect(await person.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await person.barriers()).toEqual([]);
    const rows = await person.page.locator('table.history tbody tr').count();
    await person.page.evaluate(`globalThis.drawn = 0;
      new MutationObserver((changes) => (drawn += changes.filter(({ target }) => target.closest('tbody tr')).length))
        .observe(document.querySelector('table.history tbody'), { subtree: true, childList: true, characterData: false });`);
    await person.click('button', 'Show more');
    await person.page.locator('table.history tbody tr').nth(rows).waitFor();
    expect(
      await person.page.evaluate(`[...document.querySelectorAll('table.history tbody tr')].length`),
    ).toBeGreaterThan(rows);
    await person.close();

    await at('#/history?user=eve&from=2026-01-01');
    await person.page.locator('table.history').waitFor();
    expect(await person.barriers()).toEqual([]);
  });
});
