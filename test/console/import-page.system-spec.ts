import { readFileSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';
import { Calls } from './calls';

const LIST = `id,displayName,email,status,workspaces
ben,Ben,,inactive,atlas
fay,Fay,fay@example.com,active,atlas|borealis
gus,Gus,gus@example.com,active,
`;
const BAD_LIST = LIST.replace('fay@example.com', 'no address').replace('atlas|borealis', 'atlas|nowhere');

/** What the browser says of an answer that refuses, or does not come. */
const REFUSED =
  /^Failed to load resource: (the server responded with a status of (400|409) |net::ERR_CONNECTION_RESET)/;

const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '');

describeInBrowser('importing a file, at the administrators’ page', () => {
  let service: TestService;
  let browser: Browser;
  let calls: Calls;
  let person: Administrator;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  beforeEach(async () => {
    service = await startDemoService();
    calls = new Calls(service);
  });
  afterEach(async () => {
    const { complaints } = person;
    await person.close();
    await service.close();
    expect(complaints.filter((complaint) => !REFUSED.test(complaint))).toEqual([]);
  });
  afterAll(() => browser?.close());

  const open = async (options: { address?: string; user?: string; locale?: string } = {}) =>
    (person = await Administrator.at(browser, service, { address: '#/import', ...options }));
  /** Chooses a file as the dialog of the browser does. */
  const choose = (content: string | Buffer, name = 'hr.csv') =>
    person.page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: '', buffer: Buffer.from(content as string) });
  /** Drops a file on the page, as from a folder. @returns whether the page takes it, and not the browser */
  const drop = (...contents: string[]) =>
    person.page.evaluate<boolean>(`{
      const dataTransfer = new DataTransfer();
      for (const content of ${JSON.stringify(contents)}) dataTransfer.items.add(new File([content], 'hr.csv'));
      !document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }`);
  const outcome = async () =>
    plain(await person.page.locator('.preview').innerText())
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  const saved = async (button: string) => {
    const [download] = await Promise.all([person.page.waitForEvent('download'), person.click('button', button)]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  };
  const usersOf = async (...ids: string[]) => {
    const query = ids.map((id) => `id=${id}`).join('&');
    const { users } = await calls.done<{ users: { id: string; status: string; email: string | null }[] }>(
      'GET',
      `/api/users?${query}`,
    );
    return users.map(({ id, status, email }) => [id, status, email]);
  };
  const imported = async () => {
    const { entries } = await calls.done<{ entries: { action: string; user: string; actor: object }[] }>(
      'GET',
      '/api/journal?actor=ada&limit=100',
    );
    return entries.map(({ action, user }) => `${action} ${user}`).sort();
  };

  it('shows what a list would do, by kind and with names, and then does that', async () => {
    await open();
    expect(await drop(LIST)).toBe(true);
    await person.sees('New: 2');
    expect(await outcome()).toEqual(['People', 'New: 2 · Fay and Gus', 'Suspended: 1 · Ben', 'Show each change']);
    expect(await person.barriers()).toEqual([]);
    await person.page.getByText('Show each change').click();
    await person.sees('Borealis');
    const rows = await person.page.locator('.preview tbody tr').allInnerTexts();
    expect(rows.map((row) => plain(row).replace(/\s+/g, ' ').trim())).toEqual([
      '2 Ben: suspended Email address: ben@example.com → none Status: active → suspended',
      '3 Fay: new Name: Fay Email address: fay@example.com Status: active Workspaces: + Atlas and Borealis',
      '4 Gus: new Name: Gus Email address: gus@example.com Status: active',
    ]);
    expect(await person.barriers()).toEqual([]);
    expect(await person.page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(await usersOf('ben', 'fay', 'gus')).toEqual([['ben', 'active', 'ben@example.com']]);
    // What suspends is red, and says whom, why, and what of it can be undone.
    const button = person.page.getByRole('button', { name: 'Import and suspend 1 person' });
    expect(await button.getAttribute('class')).toBe('primary destructive');
    await person.sees(/^These lose access: .*Ben/);
    await person.sees('Afterwards the history can undo what it does to the status');
    await person.type('Reason', 'the season is over');
    await button.click();
    await person.sees('The file was imported.');
    expect(await outcome()).toEqual(['People', 'New: 2', 'Suspended: 1']);
    const { entries } = await calls.done<{ entries: object[] }>(
      'GET',
      '/api/journal?action=directory.imported&limit=1',
    );
    expect(entries).toMatchObject([{ reason: 'the season is over', after: { name: 'hr.csv' } }]);
    expect(await person.page.evaluate('document.activeElement.textContent')).toBe('The file was imported.');
    expect(plain(await person.page.locator('.toast').innerText())).toMatch(/^The file was imported\.\s+hr\.csv\s/);
    expect(await usersOf('ben', 'fay', 'gus')).toEqual([
      ['ben', 'inactive', null],
      ['fay', 'active', 'fay@example.com'],
      ['gus', 'active', 'gus@example.com'],
    ]);
    expect(await imported()).toContain('user.created fay');
    await choose(LIST);
    await person.sees('The directory is as the file says already.');
    expect(await person.page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
  });

  it('gives the lines with errors back, with their reasons, to save; and takes the list when it is corrected', async () => {
    await open();
    await choose(BAD_LIST);
    await person.sees('Lines with errors: 1');
    await person.sees('The file has errors. Nothing was imported.');
    expect(await person.barriers()).toEqual([]);
    const { name, text } = await saved('Save these lines');
    expect(name).toMatch(/^hr-errors-\d{4}-\d\d-\d\d\.csv$/);
    const reason =
      'the cell of the column email must be empty or hold an address with one @, without blanks or invisible characters, of 3 to 320 characters';
    expect(text).toBe(`\uFEFFline,error,text\r\n3,"${reason}","fay,Fay,no address,active,atlas|nowhere"\r\n`);
    await choose(LIST);
    await person.sees('New: 2');
    expect(await person.page.getByText('Lines with errors').count()).toBe(0);
  });

  it('gives a line with errors back whole if its cells have line breaks; and looks again when what was missing is there', async () => {
    await open();
    await choose(
      'id,displayName,workspaces\r\nfay,"Fay\r\nor ""F""",nowhere\r\ngus,Gus,nowhere\r\nhal,"Hal,nowhere\r\n',
    );
    await person.sees('a quoted cell has no closing quote');
    const linesOf = async () =>
      (await person.page.locator('main tbody td:last-child').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    const whole = ['fay,"Fay or ""F""",nowhere', 'gus,Gus,nowhere'];
    expect(await linesOf()).toEqual([...whole, 'hal,"Hal,nowhere']);
    await choose('id,displayName,workspaces\r\nfay,"Fay\r\nor ""F""",nowhere\r\ngus,Gus,nowhere\r\n');
    await person.sees('Lines with errors: 2');
    expect(await linesOf()).toEqual(whole);
    await calls.done('POST', '/api/workspaces', { id: 'nowhere', name: 'Nowhere' });
    await person.click('button', 'Show what it would do');
    await person.sees('New: 2');
  });

  it('says why something cannot be read, or has nothing to import', async () => {
    await open();
    const single = 'Please choose a single file, not a folder or several.';
    expect(await drop(LIST, LIST)).toBe(true);
    await person.sees(single);
    await choose('\uFEFF id ;email\r\n;\r\n');
    await person.sees('The file has no records.');
    expect(await person.page.getByText(single).count()).toBe(0);
    expect(await person.page.getByText('The directory is as the file says already.').count()).toBe(0);
    await choose(Buffer.from('PK\u0003\u0004\u0014', 'latin1'), 'hr.xlsx');
    await person.sees('This is a workbook. Save it as CSV UTF-8, and choose that file.');
    // What a folder is, and a file that another program has locked.
    await person.page.evaluate(
      `File.prototype.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'))`,
    );
    await choose(LIST);
    await person.sees(single);
  });

  it('lists the warnings of the service, each once', async () => {
    await open();
    await choose('id\n00815\n');
    await person.sees('New: 1');
    expect(await person.page.getByText('that a spreadsheet has rounded').count()).toBe(0);
    await choose('id,displayName\n00815,MÃ¼ller\n"1,23457E+11",\n');
    await person.sees(/^Line 2: displayName "MÃ¼ller" looks like text in UTF-8/);
    await person.sees(/^Line 3: the id "1,23457E\+11" looks like a number that a spreadsheet has rounded/);
    expect(await person.page.getByText('that a spreadsheet has rounded').count()).toBe(1);
  });

  it('says that a file is no text in UTF-8, or too large', async () => {
    await open();
    await choose(Buffer.from('id,displayName\nfay,Jörg\n', 'latin1'));
    await person.sees('This file is not in UTF-8. Save it as CSV UTF-8, and choose it again.');
    await choose(Buffer.alloc(16 * 1024 * 1024 + 1, 'x'));
    await person.sees('A file can have at most 50,000 records and 16 MiB here. The command line has no limit.');
    expect(await person.page.getByText('This file is not in UTF-8').count()).toBe(0);
  });

  it('takes records of every kind from NDJSON, whatever the name of the file, and tells ends', async () => {
    await open();
    const until = new Date(new Date(Date.now() + 3 * 86_400_000).setHours(23, 59, 59, 0)).toISOString();
    await choose(
      [
        { workspace: { id: 'nova', name: 'Nova' } },
        { group: { id: 'crew', name: 'Crew', workspace: 'nova' } },
        { permission: { id: 'sky.read', description: 'Read the sky', grants: 'manager' } },
        { user: { id: 'dee', workspaces: ['atlas', { id: 'nova', until }], activeUntil: until } },
      ]
        .map((record) => JSON.stringify(record))
        .join('\n'),
      'export.txt',
    );
    await person.sees('Changed: 1');
    expect(await outcome()).toEqual(
      [
        'People',
        'Changed: 1 · Dee',
        'Workspaces',
        'New: 1 · Nova',
        'Groups',
        'New: 1 · Crew',
        'Permissions',
        'New: 1 · sky.read',
      ].concat('Show each change'),
    );
    await person.page.getByText('Show each change').click();
    await person.sees(/ends .?\w{3},? \d{1,2} \w{3}/);
    await person.click('button', /^Import( and suspend \d+ (person|people))?$/);
    await person.sees('The file was imported.');
    expect(await calls.done('GET', '/api/users/dee')).toMatchObject({ activeUntil: until, type: 'member' });
  });

  it('imports once, however often its answer is lost, and says what is not known', async () => {
    await open();
    await choose(LIST);
    await person.sees('New: 2');
    const keys = new Set<string | undefined>();
    let isLost = true;
    await person.page.route(/api\/imports\?name=/, async (route) => {
      keys.add(route.request().headers()['idempotency-key']);
      if (!isLost) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await person.click('button', /^Import( and suspend \d+ (person|people))?$/);
    await person.sees('It is not known whether the change was made. You can safely try again.');
    expect(await usersOf('fay')).toEqual([['fay', 'active', 'fay@example.com']]);
    isLost = false;
    await person.click('button', 'Try again');
    await person.sees('The file was imported.');
    expect(await outcome()).toEqual(['People', 'New: 2', 'Suspended: 1']);
    expect([...keys]).toEqual([expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
    expect((await imported()).filter((entry) => entry === 'user.created fay')).toHaveLength(1);
  });

  it('suspends whom the file does not name only if it is told to, up to a number, and not before it has shown it', async () => {
    await open();
    await choose('id\nben\n');
    await person.sees('The directory is as the file says already.');
    await person.page.getByLabel('Suspend active people whom the file does not name').check();
    await person.click('button', 'Show what it would do');
    await person.sees('This would deactivate 2 users, more than permitted.');
    await person.type('At most', 'a few');
    await person.click('button', 'Show what it would do');
    await person.sees('Please give a number, or a percentage such as 10%.');
    await person.type('At most', '60 %');
    await person.click('button', 'Show what it would do');
    await person.sees('Suspended: 2');
    expect(await outcome()).toEqual([
      'People',
      'Suspended: 2 · Cyd and Dee',
      'As they are: 1',
      'Not in the file, and still active: 2',
      'Show each change',
    ]);
    await person.type('At most', '2');
    expect(await person.page.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0);
    await person.click('button', 'Show what it would do');
    await person.click('button', /^Import( and suspend \d+ (person|people))?$/);
    await person.sees('The file was imported.');
    expect((await usersOf('ada', 'ben', 'cyd', 'dee')).map(([, status]) => status)).toEqual([
      'active',
      'active',
      'inactive',
      'inactive',
    ]);
  });

  it('takes the page’s own export back: unchanged it changes nothing, and changed what was changed', async () => {
    await calls.done('POST', '/api/users', {
      id: 'trip',
      email: 'trip@example.com',
      displayName: '=1+1, "quoted"',
      activeUntil: '2036-05-06T07:08:09.000Z',
    });
    await calls.done('POST', '/api/users', { id: 'bare', status: 'inactive' });
    await open({ address: '#/people' });
    await person.page.locator('#results tr').nth(2).waitFor();
    await person.page.getByText('Export', { exact: true }).click();
    const { text } = await saved('To be imported: id, address, name, status and end (CSV)');
    expect(text).toContain(`trip,trip@example.com,`);
    await person.page.evaluate(`location.hash = '#/import'`);
    await choose(text);
    await person.sees('The directory is as the file says already.');
    await choose(text.replace('trip@example.com', 'round@example.com'));
    await person.sees('Changed: 1');
    await person.click('button', 'Import');
    await person.sees('The file was imported.');
    expect(await calls.done('GET', '/api/users/trip')).toMatchObject({
      email: 'round@example.com',
      displayName: '=1+1, "quoted"',
      activeUntil: '2036-05-06T07:08:09.000Z',
    });
    expect(await usersOf('bare')).toEqual([['bare', 'inactive', null]]);
  });

  it('saves a template that can be imported as it is', async () => {
    await open();
    const { name, text } = await saved('Save a template (CSV)');
    expect(name).toMatch(/^people-\d{4}-\d\d-\d\d\.csv$/);
    await choose(text);
    await person.sees('New: 1');
    expect(await outcome()).toEqual(['People', 'New: 1 · Erin Example', 'Show each change']);
  });

  it('points from what was to what becomes, also from right to left', async () => {
    await open({ locale: 'ar' });
    await choose('id,email\nben,ben@example.org\n');
    await person.page.locator('main summary').last().click();
    const field = person.page.locator('ul.fields li').first();
    expect(plain(await field.innerText())).toMatch(/ben@example\.com\s←\sben@example\.org/);
    const [was, is] = await Promise.all([field.locator('del').boundingBox(), field.locator('ins').boundingBox()]);
    expect(was?.x).toBeGreaterThan(is?.x ?? NaN);
  });

  it('takes what is dropped on any of its pages; who only looks imports nothing', async () => {
    await open({ address: '#/people' });
    await person.sees('Ben');
    expect(await drop(LIST)).toBe(true);
    await person.sees('New: 2');
    expect(await person.page.evaluate('location.hash')).toBe('#/import');
    await person.close();
    await calls.done('POST', '/api/permissions', { id: 'users.read', description: 'Read', grants: 'guest' });
    await calls.done('PATCH', '/api/users/cyd', { permissions: ['users.read'] });
    await open({ address: '#/people', user: 'cyd' });
    await person.sees('Ben');
    expect(await drop(LIST)).toBe(true);
    expect(await person.page.evaluate('location.hash')).toBe('#/people');
    expect(await person.page.getByRole('button', { name: 'Import …' }).count()).toBe(0);
    await person.page.evaluate("location.hash = '#/import'");
    await person.sees('There is no such page.');
  });
});
