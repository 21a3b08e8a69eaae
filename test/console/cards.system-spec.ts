import { type Browser, chromium } from 'playwright-core';
import type { TestService } from '../support/test-service';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import { Administrator, startDemoService } from './administrator';
import { until } from './until';

/** What the browser says about every answer of failure. */
const REFUSED =
  /^Failed to load resource: (the server responded with a status of (400|404|409|412|500) |net::ERR_FAILED$)/;
const STRANGE = 'a b/<b>ö</b>';

describeInBrowser('the cards of the page for administrators', () => {
  let service: TestService;
  let browser: Browser;
  let person: Administrator | undefined;

  beforeAll(async () => {
    service = await startDemoService();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterEach(async () => {
    await person?.close();
    expect(person?.complaints.filter((complaint) => !REFUSED.test(complaint))).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  const at = async (address: string, options: object = {}): Promise<Administrator> =>
    (person = await Administrator.at(browser, service, { address, ...options }));
  const dialog = ({ page }: Administrator) => page.getByRole('dialog');
  const section = ({ page }: Administrator, title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  /** Waits until the field with this label has the focus, which comes with the paint after the message. */
  const hasFocus = ({ page }: Administrator, label: string) =>
    until(page, `document.activeElement.labels?.[0]?.textContent === ${JSON.stringify(label)}`);

  async function call(method: string, path: string, body?: object, user = 'zoe'): Promise<Record<string, unknown>> {
    const answer = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${service.tokenOf(user)}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    return { code: answer.status, ...(text ? (JSON.parse(text) as object) : {}) };
  }

  it('tells in a sentence why somebody is a manager', async () => {
    await call('POST', '/api/users/workspace-assign', {
      userIds: ['dee'],
      workspaces: ['atlas'],
      groups: ['atlas-managers'],
      reason: 'team lead',
    });
    const ada = await at('#/people/dee');
    await ada.sees('team lead', section(ada, 'Type, and why'));
    const { page } = ada;
    const today = await page.evaluate(
      `new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long' }).format(new Date())`,
    );
    // The name of the workspace arrives after its id.
    await section(ada, 'Type, and why')
      .locator('.why > li', { hasText: /Managers \(Atlas\).*Zoe/ })
      .waitFor();
    const sentence = await section(ada, 'Type, and why').locator('.why > li').allInnerTexts();
    expect(sentence).toEqual([
      `Manager, through Managers (Atlas), since ${String(today)}, by Zoe: team lead workspace.manage`,
    ]);
    await ada.click('link', 'Managers', section(ada, 'Type, and why'));
    await page.waitForURL('**/admin#/groups/atlas-managers');
    await ada.sees('workspace.manage', section(ada, 'What it grants'));
    await ada.sees('Dee', section(ada, 'Who is in'));
  });

  it.each([
    ['ada', /^Administrator, by a permission given directly on .+ by demo directory \(system\) users\.administer$/],
    ['zoe', /^Administrator, through Administrators \(Cosmos\), since .+, by demo directory \(system\) users/],
    ['cyd', /^Member, through Borealis, since .+, by demo directory \(system\) content\.read$/],
  ])('tells the other ways: %s', async (id, sentence) => {
    const ada = await at(`#/people/${id}`);
    const way = section(ada, 'Type, and why').locator('.why > li');
    await way.filter({ hasText: '(system)' }).waitFor();
    await way.filter({ hasText: /Cosmos|Borealis|directly/ }).waitFor();
    expect(await way.allInnerTexts()).toEqual([expect.stringMatching(sentence)]);
  });

  it('shows places and the last changes, and says that there is nobody with an id', async () => {
    const ada = await at('#/people/eve');
    await ada.sees('Editors', section(ada, 'Workspaces and groups'));
    await ada.sees(/The project has ended/, section(ada, 'Last changes'));
    const history = section(ada, 'Last changes').getByRole('link', { name: 'Show the whole history' });
    expect(await history.getAttribute('href')).toBe('#/history?user=eve');
    await ada.page.evaluate(`location.hash = '#/people/nobody%2Fat%20all'`);
    await ada.sees(/There is no person with the id nobody\/at all/);
  });

  it('creates a person, with each fault at its field', async () => {
    await call('POST', '/api/permissions', { id: 'soon.gone', grants: 'guest' });
    const ada = await at('#/workspaces/cosmos');
    await ada.page.evaluate(`location.hash = '#/people'`);
    await ada.click('button', 'New person');
    const form = dialog(ada);
    await ada.type('Name', '<b>Fay</b>', form);
    await ada.type('Email address', 'no address', form);
    await ada.type('Id', 'ada', form);
    await form.getByLabel('soon.gone').check();
    await call('DELETE', '/api/permissions/soon.gone');
    await ada.click('button', 'Create', form);
    await ada.sees('Please give one address', form);
    await hasFocus(ada, 'Email address');

    await ada.type('Email address', 'ADA@example.com', form);
    await ada.click('button', 'Create', form);
    await ada.sees('One of these permissions no longer exists', form);
    await hasFocus(ada, 'Permissions');
    expect(await form.getByLabel('Name').inputValue()).toBe('<b>Fay</b>');

    await form.getByLabel('soon.gone').uncheck();
    await ada.click('button', 'Create', form);
    await ada.sees('This id is already in use.', form);
    await hasFocus(ada, 'Id');
    await ada.type('Id', STRANGE, form);
    await ada.click('button', 'Create', form);
    await ada.sees('This email address is already in use.', form);
    await hasFocus(ada, 'Email address');

    await ada.type('Email address', 'fay@example.com', form);
    await ada.type('Workspaces and groups', 'Edit', form);
    await form.getByRole('option', { name: 'Editors (Borealis)' }).click();
    await ada.click('button', 'Create', form);
    await ada.page.getByRole('heading', { name: '<b>Fay</b>' }).waitFor();
    expect(new URL(ada.page.url()).hash).toBe(`#/people/${encodeURIComponent(STRANGE)}`);
    expect(await call('GET', `/api/users/${encodeURIComponent(STRANGE)}`)).toMatchObject({
      code: 200,
      email: 'fay@example.com',
      permissions: [],
    });
    await ada.sees('Editors', section(ada, 'Workspaces and groups'));
    await ada.sees('Borealis', section(ada, 'Workspaces and groups'));
  });

  it('says that a place which was chosen is gone, and offers those that are there', async () => {
    await call('POST', '/api/workspaces', { id: 'brief', name: 'Brief' });
    await call('POST', '/api/groups', { id: 'brief-group', name: 'Brief group', workspace: 'brief' });
    const ada = await at('#/people');
    await ada.click('button', 'New person');
    await ada.type('Name', 'Ivy', dialog(ada));
    const places = dialog(ada).getByRole('combobox', { name: 'Workspaces and groups' });
    await places.fill('Brief');
    await ada.click('option', /^Brief group/);
    await call('DELETE', '/api/workspaces/brief');
    await ada.click('button', 'Create', dialog(ada));
    await ada.sees('One of these workspaces or groups no longer exists. Please choose again.', dialog(ada));
    await ada.click('button', /^Remove .*Brief group/, dialog(ada));
    await places.fill('Brief');
    await ada.sees('Nothing of this name was found.', dialog(ada));
    await places.fill('');
    await ada.click('button', 'Create', dialog(ada));
    await ada.page.getByRole('heading', { name: 'Ivy' }).waitFor();
  });

  it('makes one change of a form whose answer gets lost', async () => {
    const ada = await at('#/workspaces/cosmos');
    await ada.click('button', 'New group');
    await ada.type('Name', 'Crew', dialog(ada));
    await ada.page.route(
      '**/api/groups',
      async (route) => {
        await route.fetch();
        await route.fulfill({ status: 500, body: 'A proxy has lost the answer.' });
      },
      { times: 1 },
    );
    await ada.click('button', 'Create', dialog(ada));
    await dialog(ada).getByRole('alert').waitFor();
    await ada.click('button', 'Try again', dialog(ada));
    await ada.page.getByRole('heading', { name: 'Crew' }).waitFor();
    expect(await call('GET', '/api/groups?search=Crew')).toMatchObject({ groups: [{ name: 'Crew' }], next: null });

    await ada.click('button', 'Edit');
    await ada.type('Name', 'New crew', dialog(ada));
    await ada.page.route(
      '**/api/groups/*',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await ada.click('button', 'Save', dialog(ada));
    await ada.page.getByRole('heading', { name: 'New crew' }).waitFor();
    await dialog(ada).waitFor({ state: 'detached' });
  });

  it('sends an edited form under a new key, after a look at what became of the first', async () => {
    const ada = await at('#/workspaces/cosmos');
    const keys: (string | undefined)[] = [];
    ada.page.on('request', (request) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
    });
    await ada.click('button', 'New group');
    /** Sends the form, and loses the answer, or the request as well. */
    const lose = async (name: string, button: string, isMade: boolean) => {
      await ada.type('Name', name, dialog(ada));
      await ada.page.route('**/api/groups', async (route) => {
        if (isMade) await route.fetch();
        await route.fulfill({ status: 500, body: 'A proxy has lost the answer.' });
      });
      await ada.click('button', button, dialog(ada));
      await dialog(ada).getByRole('alert').waitFor();
      await ada.page.unroute('**/api/groups');
    };
    await lose('First', 'Create', true);
    await ada.type('Name', 'Second', dialog(ada));
    await ada.click('button', 'Try again', dialog(ada));
    await ada.sees(/^The earlier attempt has arrived after all/, dialog(ada));
    await lose('Third', 'Create', false);
    await ada.type('Name', 'Fourth', dialog(ada));
    await ada.click('button', 'Try again', dialog(ada));
    await ada.page.getByRole('heading', { name: 'Fourth' }).waitFor();
    const { groups } = (await call('GET', '/api/groups?workspace=cosmos')) as { groups: { name: string }[] };
    const names = groups.map(({ name }) => name);
    expect([
      names.includes('First'),
      names.includes('Second'),
      names.includes('Third'),
      names.includes('Fourth'),
    ]).toEqual([true, false, false, true]);
    expect(new Set(keys).size).toBe(3);
  });

  it('lets one decide between theirs and yours', async () => {
    const ada = await at('#/people/cyd');
    await ada.click('button', 'Edit');
    await ada.type('Name', 'Cyd of ours', dialog(ada));
    await call('PATCH', '/api/users/cyd', { displayName: 'Cyd of Zoe', email: 'cyd@zoe.example' });
    await ada.click('button', 'Save', dialog(ada));
    await ada.sees(/Changed by Zoe now\./, dialog(ada));
    expect(await ada.barriers()).toEqual([]);
    const checked = dialog(ada).locator('label:has(:checked)');
    expect(await checked.allInnerTexts()).toEqual(['Yours: Cyd of ours', 'Theirs: cyd@zoe.example']);
    await ada.click('button', 'Save', dialog(ada));
    await ada.page.getByRole('heading', { name: 'Cyd of ours' }).waitFor();
    expect(await call('GET', '/api/users/cyd')).toMatchObject({
      displayName: 'Cyd of ours',
      email: 'cyd@zoe.example',
    });

    await ada.click('button', 'Edit');
    await ada.type('Name', 'Cyd again', dialog(ada));
    await call('PATCH', '/api/users/cyd', { displayName: 'Cyd the second' });
    await ada.click('button', 'Save', dialog(ada));
    await ada.click('radio', /Theirs/, dialog(ada));
    await ada.click('button', 'Save', dialog(ada));
    await ada.page.getByRole('heading', { name: 'Cyd the second' }).waitFor();
    expect(await call('GET', '/api/users/cyd')).toMatchObject({ displayName: 'Cyd the second' });
  });

  it('saves behind a proxy that compresses, and tries once behind one that spoils the version', async () => {
    await call('POST', '/api/workspaces', { id: 'proxied', name: 'Proxied' });
    const ada = await at('#/workspaces/proxied');
    const sent: string[] = [];
    let becomes = (tag: string) => `W/${tag.replace(/"$/, '-gzip"')}`;
    await ada.page.route('**/api/workspaces/proxied', async (route) => {
      const headers = route.request().headers();
      sent.push(route.request().method());
      const held = headers['if-match'];
      await route.continue({ headers: held ? { ...headers, 'if-match': becomes(held) } : headers });
    });
    await ada.click('button', 'Edit');
    await ada.type('Name', 'Compressed', dialog(ada));
    await ada.click('button', 'Save', dialog(ada));
    await ada.page.getByRole('heading', { name: 'Compressed' }).waitFor();

    becomes = () => '"spoilt"';
    await ada.click('button', 'Edit');
    await ada.type('Name', 'Spoilt', dialog(ada));
    sent.length = 0;
    await ada.click('button', 'Save', dialog(ada));
    await ada.sees(/^The service refused twice the version that it had just shown\./, dialog(ada));
    expect(sent).toEqual(['PATCH', 'GET', 'PATCH', 'GET']);
  });

  it('changes what does not touch the form without a question, and says that a record is gone', async () => {
    await call('POST', '/api/workspaces', { id: 'dune', name: 'Dune' });
    const ada = await at('#/workspaces/dune');
    await ada.click('button', 'Edit');
    await ada.type('Name', 'Dunes', dialog(ada));
    await call('PATCH', '/api/workspaces/dune', { name: 'Dune 2' });
    await call('PATCH', '/api/workspaces/dune', { name: 'Dune' });
    await ada.click('button', 'Save', dialog(ada));
    await ada.page.getByRole('heading', { name: 'Dunes' }).waitFor();
    await ada.click('button', 'Edit');
    await ada.type('Name', 'Too late', dialog(ada));
    await call('DELETE', '/api/workspaces/dune');
    await ada.click('button', 'Save', dialog(ada));
    await ada.sees(/Dunes.* was deleted in the meantime, so nothing was saved\./, dialog(ada));
    await dialog(ada).getByText('Close', { exact: true }).click();
    await ada.sees(/There is no workspace with the id/);
  });

  it('renames and erases when the id has been typed, and nothing else', async () => {
    await call('POST', '/api/users', { id: 'gil', displayName: 'Gil', email: 'gil@example.com' });
    const ada = await at('#/people/gil');
    const choose = async (what: string): Promise<void> => {
      await ada.page.getByText('More', { exact: true }).click();
      await ada.click('button', what);
    };
    await choose('Change the id …');
    await ada.type('New id', STRANGE + '2', dialog(ada));
    const rename = dialog(ada).getByRole('button', { name: 'Change the id' });
    await ada.type(/^To confirm/, 'Gill', dialog(ada));
    expect(await rename.isDisabled()).toBe(true);
    await ada.sees('This does not match yet.', dialog(ada));
    await ada.type(/^To confirm/, 'Gil', dialog(ada));
    await rename.click();
    await ada.page.waitForURL(`**/admin#/people/${encodeURIComponent(STRANGE + '2')}`);
    await ada.page.getByRole('heading', { name: 'Gil' }).waitFor();

    await choose('Erase personal data …');
    const erase = dialog(ada).getByRole('button', { name: 'Erase' });
    expect(await erase.isDisabled()).toBe(true);
    await ada.type(/^To confirm/, STRANGE + '2', dialog(ada));
    await erase.click();
    await ada.page.waitForURL('**/admin#/people');
    await ada.sees(/The personal data of .+ was erased\./);
    expect(await call('GET', `/api/users/${encodeURIComponent(STRANGE + '2')}`)).toMatchObject({ code: 404 });
  });

  it('makes a status token that works once', async () => {
    const ada = await at('#/people/ben');
    await ada.page.getByText('More', { exact: true }).click();
    await ada.click('button', 'Status token …');
    await ada.type('Reason', 'on leave', dialog(ada));
    await ada.click('button', 'Make it', dialog(ada));
    const token = await dialog(ada).getByLabel('Token (shown only now)', { exact: true }).inputValue();
    expect(await ada.barriers()).toEqual([]);
    expect(await call('POST', '/api/users/manage-status', { id: 'ben', token }, 'cyd')).toMatchObject({ code: 200 });
    expect(await call('GET', '/api/users/ben')).toMatchObject({ status: 'inactive' });
  });

  it('warns whoever is about to suspend or demote themselves, and refuses the last one', async () => {
    const ada = await at('#/people/ada');
    await ada.click('button', 'Suspend');
    await ada.sees('You will be signed out at once', dialog(ada));
    await ada.click('button', 'Cancel', dialog(ada));
    await ada.click('button', 'Edit');
    await dialog(ada).getByLabel('users.administer').uncheck();
    await ada.sees('you may no longer be an administrator', dialog(ada));
    await ada.click('button', 'Cancel', dialog(ada));
    await call('POST', '/api/users/status-assign', { userIds: ['zoe'], status: 'inactive' }, 'ada');
    await ada.page.getByText('More', { exact: true }).click();
    await ada.click('button', 'Delete …');
    await ada.type(/^To confirm/, 'ada', dialog(ada));
    await ada.click('button', 'Delete', dialog(ada));
    await ada.sees('At least one active administrator must remain.', dialog(ada));
    await call('POST', '/api/users/status-assign', { userIds: ['zoe'], status: 'active' }, 'ada');
  });

  it('says whom a change or a deletion touches before it is made', async () => {
    const ada = await at('#/workspaces/atlas');
    const preview = async () => {
      const told = dialog(ada).locator('.preview');
      await told.locator('li').first().waitFor();
      return (await told.locator('li, p.loud').allInnerTexts()).map((text) => text.replace(/[\u2066-\u2069]/g, ''));
    };
    await ada.click('button', 'Delete');
    const delivered = (await preview()).join('\n');
    expect(delivered).toMatch(/^\d+ people have other permissions or places after it\.\n/);
    expect(delivered).toMatch(/Ben.* become(s a)? guests? \(was manager\)/);
    expect(await ada.barriers()).toEqual([]);
    await ada.click('button', 'Cancel', dialog(ada));
    expect(await call('GET', '/api/workspaces/atlas')).toMatchObject({ code: 200 });

    await ada.page.evaluate(`location.hash = '#/people/ada'`);
    await ada.page.getByRole('heading', { name: 'Ada' }).waitFor();
    await ada.click('button', 'Edit');
    await dialog(ada).getByLabel('users.administer').uncheck();
    expect(await preview()).toEqual([
      '1 person has other permissions or places after it.',
      expect.stringMatching(/^Ada becomes a .+ \(was administrator\)$/),
      'This is about you: you will no longer be able to use this page.',
    ]);
    await ada.click('button', 'Cancel', dialog(ada));

    await ada.page.getByText('More', { exact: true }).click();
    await ada.click('button', 'Delete …');
    await ada.sees('1 person has other permissions', dialog(ada));
    await ada.click('button', 'Suspend', dialog(ada));
    await dialog(ada).getByRole('button', { name: 'Suspend 1 person' }).waitFor();
  });

  it('says what the keys do, asks before it discards, and sends by the keyboard', async () => {
    const ada = await at('#/workspaces');
    await ada.page.getByRole('link', { name: 'Atlas' }).focus();
    await ada.press('?');
    await ada.page.getByRole('heading', { name: 'Keys' }).waitFor();
    expect(await ada.barriers()).toEqual([]);
    await ada.press('Escape');
    await ada.click('button', 'New workspace');
    await ada.type('Name', 'By keys', dialog(ada));
    await ada.press('Escape');
    await ada.sees('Discard what you entered?', dialog(ada));
    expect(await ada.barriers()).toEqual([]);
    await ada.click('button', 'Go on', dialog(ada));
    expect(await dialog(ada).getByLabel('Name').inputValue()).toBe('By keys');
    await dialog(ada).getByLabel('Name').focus();
    await ada.press('Control+Enter');
    await ada.page.getByRole('heading', { name: 'By keys' }).waitFor();
    await ada.sees(/By keys.? was created\./, ada.page.locator('.toast'));
    // What was said leaves with the page, and the focus is never nowhere.
    await ada.page.evaluate('new Promise((done) => setTimeout(done, 1600))');
    await ada.page.evaluate(`location.hash = '#/people'`);
    await ada.page.locator('.toast').waitFor({ state: 'detached' });
  });

  it('offboards somebody by one reason, says since when and why, and takes both back', async () => {
    await call('POST', '/api/users', {
      id: 'gus',
      displayName: 'Gus',
      workspaces: ['atlas', 'borealis'],
      groups: ['atlas-editors'],
    });
    const ada = await at('#/people/gus');
    await ada.page.getByText('More', { exact: true }).click();
    await ada.click('button', 'Offboard …');
    await ada.sees('1 person becomes suspended', dialog(ada));
    await ada.sees('1 person leaves Editors (Atlas)', dialog(ada));
    expect(await ada.barriers()).toEqual([]);
    await ada.type('Reason', 'has left', dialog(ada));
    await ada.click('button', 'Offboard', dialog(ada));
    await ada.sees(/^Suspended on .+ by Ada: has left$/);
    expect(ada.actions).toBe(3);
    await ada.sees('In no workspace.', section(ada, 'Workspaces and groups'));
    expect(await call('GET', '/api/users/gus')).toMatchObject({ status: 'inactive' });
    await ada.click('button', 'Undo');
    await ada.sees(/Gus.? is back as before\./);
    expect(await call('GET', '/api/users/gus')).toMatchObject({ status: 'active' });
    const { memberships } = await call('GET', '/api/users/gus/memberships');
    expect(memberships).toMatchObject([
      { workspace: { id: 'atlas' }, groups: [{ id: 'atlas-editors' }] },
      { workspace: { id: 'borealis' }, groups: [] },
    ]);
  });

  it('makes an administrator, and takes that away again', async () => {
    await call('POST', '/api/users', { id: 'hal', displayName: 'Hal' });
    const ada = await at('#/people/hal');
    await ada.page.getByText('More', { exact: true }).click();
    await ada.click('button', 'Make administrator …');
    await ada.sees(/Hal.* becomes an administrator/, dialog(ada));
    await ada.click('button', 'Make administrator', dialog(ada));
    await ada.sees(/^Administrator, by a permission given directly/);
    expect(await call('GET', '/api/users/hal')).toMatchObject({ type: 'administrator' });
    await ada.page.getByText('More', { exact: true }).click();
    await ada.click('button', 'Take administration away …');
    await ada.sees(/Hal.* becomes a guest/, dialog(ada));
    expect(await ada.barriers()).toEqual([]);
    await ada.click('button', 'Take administration away', dialog(ada));
    await ada.sees(/^Guest, because no permission/);
    expect(await call('GET', '/api/users/hal')).toMatchObject({ type: 'guest' });
  });

  it('tells at its head who somebody is, and copies the address; no page has two primary buttons', async () => {
    await call('POST', '/api/users', {
      id: 'mia',
      displayName: 'Mia Noor',
      email: 'mia@example.com',
      activeUntil: new Date(Date.now() + 3 * 86_400_000).toISOString(),
    });
    const ada = await at('#/people/mia', { permissions: ['clipboard-read', 'clipboard-write'] });
    const head = ada.page.locator('.record-head');
    await ada.sees(/^account ends/, head);
    const words = (await head.innerText()).replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, ' ');
    expect(words).toMatch(/^MN Mia Noor active guest mia@example.com Copy account ends .+ Last change: now$/);
    await ada.click('button', /^Copy: .?mia@example/);
    await ada.sees('Copied', head);
    expect(await ada.page.evaluate('navigator.clipboard.readText()')).toBe('mia@example.com');
    expect(await head.locator('.initials').getAttribute('class')).toMatch(/^initials tint-[0-7]$/);
    expect(await ada.barriers()).toEqual([]);
    // What is there to do first stands in the place of what is missing.
    await ada.sees('In no workspace.');
    await ada.click('button', 'Add to …', section(ada, 'Workspaces and groups'));
    await ada.click('option', /^Atlas/, dialog(ada));
    await ada.click('button', 'Add 1 person', dialog(ada));
    await ada.page.locator('.memberships').getByRole('link', { name: 'Atlas' }).waitFor();
    for (const address of [
      ...['people', 'people/mia', 'workspaces', 'workspaces/atlas', 'groups/atlas-managers', 'permissions'],
      ...['history', 'connections', 'webhooks'],
    ]) {
      await ada.page.evaluate(`location.hash = '#/${address}'`);
      await until(
        ada.page,
        `document.querySelector('main h1') !== null && document.querySelector('main .skeleton') === null`,
      );
      const primary = address === 'history' ? 0 : 1;
      expect([address, await ada.page.locator('main button.primary').count()]).toEqual([address, primary]);
    }
  });

  it('makes an auditor by the permission to read, which it makes where it is missing, and takes that away again', async () => {
    const [{ code }] = [await call('GET', '/api/permissions/users.read')];
    expect(code).toBe(404);
    for (const id of ['kim', 'lou'])
      await call('POST', '/api/users', { id, displayName: id, permissions: ['content.read'] });
    const act = async (item: string, button: string) => {
      await ada.page.getByText('More', { exact: true }).click();
      await ada.click('button', item);
      await ada.type('Reason', 'the yearly audit', dialog(ada));
      await ada.click('button', button, dialog(ada));
      await dialog(ada).waitFor({ state: 'detached' });
    };
    const held = async (id: string) => (await call('GET', `/api/users/${id}`)).permissions;
    const ada = await at('#/people/kim');
    await act('Make auditor …', 'Make auditor');
    await ada.sees(/kim.? is an auditor now\./);
    expect(await call('GET', '/api/permissions/users.read')).toMatchObject({
      description: 'Look at everything, change nothing',
      grants: 'guest',
    });
    expect(await held('kim')).toEqual(['content.read', 'users.read']);
    expect(await call('GET', '/api/me', undefined, 'kim')).toMatchObject({ administrator: false, mayRead: true });
    await act('Take auditing away …', 'Take auditing away');
    await ada.sees(/Auditing was taken away from .?kim/);
    expect(await held('kim')).toEqual(['content.read']);
    const { entries } = await call('GET', '/api/journal?user=kim&action=user.permissions.changed');
    expect(entries).toMatchObject([{ reason: 'the yearly audit' }, { reason: 'the yearly audit' }]);
    // What is there already is given as it is.
    await ada.page.evaluate(`location.hash = '#/people/lou'`);
    await ada.page.getByRole('heading', { name: 'lou' }).waitFor();
    await ada.page.getByText('More', { exact: true }).click();
    await ada.click('button', 'Make auditor …');
    await ada.sees('1 person has other permissions or places after it.', dialog(ada));
    expect(await dialog(ada).getByText('does not exist yet').count()).toBe(0);
    expect(await ada.barriers()).toEqual([]);
    await ada.click('button', 'Make auditor', dialog(ada));
    await ada.sees(/lou.? is an auditor now\./);
    expect(await held('lou')).toEqual(['content.read', 'users.read']);
  });

  it('says what would make more of somebody, and finds who bore another id', async () => {
    await call('POST', '/api/users', { id: 'ida', displayName: 'Ida', workspaces: ['atlas'] });
    const ada = await at('#/people/ida');
    await ada.page.getByText('What would make more of them?').click();
    await ada.sees(/^manager: by workspace\.manage, which Managers \(Atlas\) give$/);
    await call('POST', '/api/users/ida/rename', { id: 'ida-2' });
    await call('POST', '/api/users/ida-2/rename', { id: 'ida-3' });
    await ada.page.evaluate(`location.hash = '#/people'`);
    await ada.page.evaluate(`location.hash = '#/people/ida'`);
    await ada.page.waitForURL('**/admin#/people/ida-3');
    await ada.page.getByRole('heading', { name: 'Ida' }).waitFor();
    expect(await ada.page.title()).toBe('Ida · User Administration');
  });

  it.each(['light', 'dark'] as const)('can be used by everybody: %s, on a phone', async (colorScheme) => {
    const ada = await at('#/people/ada', { colorScheme, viewport: { width: 360, height: 740 } });
    const isTooWide = () => ada.page.evaluate('document.documentElement.scrollWidth > innerWidth');
    await ada.sees('Atlas', section(ada, 'Workspaces and groups'));
    await ada.sees(/created/, section(ada, 'Last changes'));
    expect([await ada.barriers(), await isTooWide()]).toEqual([[], false]);
    await ada.click('button', 'Edit');
    await dialog(ada).getByLabel('users.administer').waitFor();
    expect([await ada.barriers(), await isTooWide()]).toEqual([[], false]);
    await ada.press('Escape');
    await ada.page.evaluate(`location.hash = '#/workspaces/atlas'`);
    await ada.sees('Ben', section(ada, 'Who is in'));
    await ada.sees('Managers', section(ada, 'Groups'));
    await ada.click('button', 'Delete');
    expect([await ada.barriers(), await isTooWide()]).toEqual([[], false]);
    await ada.press('Escape');
    await ada.page.evaluate(`location.hash = '#/permissions/users.administer'`);
    await ada.sees('Zoe', section(ada, 'Who holds it'));
    expect([await ada.barriers(), await isTooWide()]).toEqual([[], false]);
  });
});
