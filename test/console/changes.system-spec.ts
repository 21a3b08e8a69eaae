import { type Browser, chromium, type Locator, type Page, type Request } from 'playwright-core';
import { loadDemoDirectory } from '../../src/plugins/transfer/demo-directory';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';
import { DEMOS } from '../support/demos';

type Options = Parameters<typeof Administrator.at>[2];

const QUOTED_UUID = /^"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"$/;

describeInBrowser('Changing many people at the administrators’ page', () => {
  let service: TestService;
  let browser: Browser;
  let person: Administrator;
  let page: Page;
  let dialog: Locator;
  /** The requests that change something. */
  let sent: Request[];
  /** What is expected on the console: refusals of the service. */
  let complaints: RegExp;

  const open = async (options: Options) => {
    person = await Administrator.at(browser, service, { address: '#/people', ...options });
    page = person.page;
    dialog = page.locator('dialog');
    page.on('request', (request) => {
      if (request.method() === 'POST' && !request.url().includes('dryRun')) sent.push(request);
    });
  };
  const press = (change: string) =>
    page.locator('.selection').getByRole('button', { name: change, exact: true }).click();
  /** Selects people in the list, and begins a change of them. */
  const begin = async (change: string, ids: string[], options: Options = {}) => {
    await open(options);
    for (const id of ids)
      await page
        .locator('tbody tr', { hasText: `${id}@example.com` })
        .getByRole('checkbox')
        .click();
    await press(change);
  };
  const [ADD, TAKE_OUT, SUSPEND, ACTIVATE] = ['Add to …', 'Take out of …', 'Suspend', 'Activate'] as const;
  const choose = (place: string) =>
    dialog
      .getByRole('option')
      .filter({ hasText: new RegExp(`^\\s*${place.replace(/[()]/g, '\\$&')}(Workspace|Group)$`) })
      .click();
  const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '');
  /** What the dialog says that will change. */
  const preview = async () => {
    const told = dialog.locator('.preview [aria-live]');
    await told.locator('ul, p:not(.skeleton *)').first().waitFor();
    return (await told.locator('li, p').allInnerTexts()).map(plain);
  };
  const button = (name: string) => dialog.getByRole('button', { name, exact: true });
  const isDisabled = async (name: string) => {
    await button(name).waitFor();
    return button(name).isDisabled();
  };
  /** Waits for a toast that begins so, and returns what it says. */
  const said = async (beginning: string) => {
    const toast = page.locator('.toast > span').filter({ hasText: new RegExp(`^${beginning}`) });
    await toast.waitFor();
    return plain(await toast.innerText());
  };
  const undo = () => page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${service.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${service.tokenOf('zoe')}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
    return response.status === 204 ? undefined : response.json();
  };
  const entriesOf = async (requestId: string | undefined) => {
    const { entries } = (await ask('GET', '/journal?limit=200')) as { entries: { requestId: string | null }[] };
    return entries.filter((entry) => entry.requestId === requestId);
  };

  beforeAll(async () => {
    service = await startDemoService();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  beforeEach(async () => {
    await service.directory.clear();
    await loadDemoDirectory(service.dataSource, service.app.get(UserTypeService), DEMOS);
    sent = [];
    complaints = /^$/;
  });
  afterEach(async () => {
    const unexpected = person.complaints.filter((complaint) => !complaints.test(complaint));
    await person.close();
    expect(unexpected).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it('says who joins, who becomes what and who is in already; does exactly that once; and undoes it', async () => {
    await begin(ADD, ['ben', 'cyd', 'dee']);
    await choose('Managers (Atlas)');
    expect(await preview()).toEqual([
      '2 people join Atlas',
      '2 people join Managers (Atlas)',
      'Cyd and Dee become managers',
      '1 is in already',
    ]);
    await dialog.getByLabel('Reason').fill('  Project lead ');
    expect(sent).toEqual([]);
    await button('Add 2 people').dblclick();

    expect(await said('2 people')).toBe('2 people were added to Managers (Atlas).');
    expect(sent).toHaveLength(1);
    expect(sent[0]?.postDataJSON()).toEqual({
      userIds: ['ben', 'cyd', 'dee'],
      workspaces: ['atlas'],
      groups: ['atlas-managers'],
      reason: 'Project lead',
    });
    expect(sent[0]?.headers()).toMatchObject({ prefer: 'return=representation' });
    expect(sent[0]?.headers()['idempotency-key']).toMatch(QUOTED_UUID);
    await page.locator('.selection').waitFor({ state: 'detached' });

    await undo();
    expect(await said('Undone')).toBe(
      'Undone: 2 people leave Atlas · 2 people leave Managers (Atlas) · Cyd becomes a member · Dee becomes a guest',
    );
    expect(sent).toHaveLength(2);
    expect(sent[1]?.headers()).toMatchObject({ prefer: 'return=representation' });
    expect(sent[1]?.headers()['idempotency-key']).toMatch(QUOTED_UUID);
  });

  it('offers the places in which somebody of the selected is, and takes out of a group alone', async () => {
    await begin(TAKE_OUT, ['ben', 'zoe']);
    await dialog.getByRole('option').nth(3).waitFor();
    expect((await dialog.locator('[role=option]').allInnerTexts()).map((text) => plain(text).split('\n')[0])).toEqual([
      'Atlas',
      'Managers (Atlas)',
      'Cosmos',
      'Administrators (Cosmos)',
    ]);
    await choose('Administrators (Cosmos)');
    expect(await preview()).toEqual([
      '1 person leaves Administrators (Cosmos)',
      'Zoe becomes a guest',
      'Zoe can no longer administer',
      '1 is not in',
    ]);
    expect(await dialog.locator('.preview .loud').allInnerTexts()).toEqual(['Zoe can no longer administer']);
    // Taking out of a group leaves people in the workspace, so one request does not do both.
    await dialog.getByRole('combobox', { name: 'Take out of' }).click();
    expect((await dialog.locator('[role=option]').allInnerTexts()).map((text) => plain(text).split('\n')[0])).toEqual([
      'Managers (Atlas)',
    ]);
    await button('Take 1 person out').click();
    expect(await said('1 person')).toBe('1 person was taken out of Administrators (Cosmos).');
    expect(sent[0]?.postDataJSON()).toEqual({
      userIds: ['ben', 'zoe'],
      workspaces: ['cosmos'],
      groups: ['cosmos-admins'],
    });
  });

  it('suspends and activates, says who is so already, and warns whoever does it to themselves', async () => {
    await begin(SUSPEND, ['ada', 'ben', 'eve']);
    expect(await preview()).toEqual([
      '2 people become suspended',
      'Ada can no longer administer',
      '1 is suspended already',
      'This is about you: you will no longer be able to use this page.',
    ]);
    await person.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(sent).toEqual([]);

    await press(ACTIVATE);
    expect(await preview()).toEqual(['1 person becomes active', '2 are active already']);
    await button('Activate 1 person').click();
    expect(await said('1 person')).toBe('1 person was activated.');
    expect(sent.map((request) => request.postDataJSON() as unknown)).toEqual([
      { userIds: ['ada', 'ben', 'eve'], status: 'active' },
    ]);
  });

  it('says that nothing would change, and that the last administrator stays, with the button disabled', async () => {
    complaints = /409/;
    await begin(ACTIVATE, ['ben']);
    expect(await preview()).toEqual(['This changes nothing.', '1 is active already']);
    expect(await isDisabled('Activate 1 person')).toBe(true);
    await person.press('Escape');
    await page.locator('tbody tr', { hasText: 'ada@' }).getByRole('checkbox').click();
    await page.locator('tbody tr', { hasText: 'zoe@' }).getByRole('checkbox').click();
    await press(SUSPEND);
    expect(await preview()).toEqual(['At least one active administrator must remain.']);
    expect(await isDisabled('Suspend 3 people')).toBe(true);
  });

  it('sends the same request under the same key until it has an answer, and changes once', async () => {
    complaints = /ERR_FAILED|net::/;
    await begin(SUSPEND, ['ben', 'cyd']);
    await preview();
    let broken = 0;
    await page.route('**/status-assign', async (route) => {
      // The change is made, and its answer is lost; then the service is away for all attempts of the call.
      if (broken++ === 0) await route.fetch();
      await route.abort();
    });
    await button('Suspend 2 people').click();
    await button('Try again').waitFor({ timeout: 40_000 });
    expect(await dialog.locator('.notice').innerText()).toContain('It is not known whether the change was made');
    await page.unroute('**/status-assign');
    await button('Try again').click();

    expect(await said('2 people')).toBe('2 people were suspended.');
    expect(new Set(sent.map((request) => request.headers()['idempotency-key'])).size).toBe(1);
    expect(new Set(sent.map((request) => request.postData())).size).toBe(1);
    expect(await entriesOf(sent[0]?.headers()['x-request-id'])).toHaveLength(2);
    await undo();
    expect(await said('Undone')).toBe('Undone: 2 people become active');
  });

  it('stays until the answer to what is under way, however often one wants to close it', async () => {
    await begin(SUSPEND, ['ben']);
    await preview();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/status-assign', async (route) => {
      await released;
      await route.continue();
    });
    await button('Suspend 1 person').click();
    await person.press('Escape');
    await person.press('Escape');
    await button('Close').first().click();
    expect(await dialog.isVisible()).toBe(true);
    release();
    expect(await said('1 person')).toBe('1 person was suspended.');
    await dialog.waitFor({ state: 'detached' });
  });

  it('leaves out who is gone before the preview, and previews anew if somebody goes after it', async () => {
    complaints = /400/;
    await open({});
    for (const id of ['ben', 'cyd', 'dee'])
      await page
        .locator('tbody tr', { hasText: `${id}@example.com` })
        .getByRole('checkbox')
        .click();
    await ask('DELETE', '/users/dee');
    await press(SUSPEND);
    const first = ['2 people become suspended', 'dee no longer exists and is left out'];
    expect((await preview()).map((line) => line.replace('Dee', 'dee'))).toEqual(first);
    await button('Suspend 2 people').click();
    await said('2 people were suspended');
    expect(sent[0]?.headers()).toMatchObject({ prefer: 'return=representation, handling=lenient' });
    await person.close();

    await begin(ACTIVATE, ['ben', 'cyd']);
    await preview();
    await ask('DELETE', '/users/cyd');
    await button('Activate 2 people').click();
    await dialog.getByText('Nothing was changed, because others have changed the directory meanwhile.').waitFor();
    await button('Activate 1 person').click();
    await said('1 person was activated');
    expect(sent.at(-1)?.headers()['idempotency-key']).not.toBe(sent.at(-2)?.headers()['idempotency-key']);
  });

  it('says what has really happened, if others were faster', async () => {
    await begin(SUSPEND, ['ben', 'cyd']);
    await preview();
    await ask('POST', '/users/status-assign', { userIds: ['cyd'], status: 'inactive' });
    await button('Suspend 2 people').click();
    expect(await said('Others')).toBe(
      'Others have changed the directory meanwhile, so this is what happened: 1 person becomes suspended · 1 is suspended already',
    );
    await ask('POST', '/users/status-assign', { userIds: ['ben'], status: 'active' });
    await undo();
    expect(await said('There')).toBe('There is nothing left to undo: it was undone, or others have changed it since.');
  });

  it('makes what is too large to be shown beforehand without asking what changed, and undoes it', async () => {
    complaints = /400/;
    await open({});
    // What the service answers above 100,000 memberships.
    await page.route('**/status-assign?dryRun=true', (route) =>
      route.fulfill({
        status: 400,
        contentType: 'application/problem+json',
        json: { status: 400, code: 'request.too_large_to_represent', detail: 'Too large.', message: 'Too large.' },
      }),
    );
    for (const id of ['ben', 'cyd'])
      await page
        .locator('tbody tr', { hasText: `${id}@example.com` })
        .getByRole('checkbox')
        .click();
    await press(SUSPEND);
    await dialog
      .getByText('2 people are concerned: this is too much to show beforehand what changes for whom.')
      .waitFor();
    await button('Suspend 2 people').click();
    expect(await said('2 people')).toBe('2 people were suspended.');
    expect(sent[0]?.headers()).not.toHaveProperty('prefer');
    await undo();
    expect(await said('Undone')).toBe('Undone: 2 people become active');
  });

  it('says what undoing an entry of the history would change, and does it', async () => {
    await ask('POST', '/users/workspace-unassign', { userIds: ['ben', 'cyd'], workspaces: ['atlas', 'borealis'] });
    await ask('POST', '/users/workspace-assign', { userIds: ['cyd'], workspaces: ['borealis'] });
    await open({ address: '#/history' });
    const row = page.locator('tr', { hasText: /took 2 people out of/ });
    await row.first().getByRole('button', { name: 'Undo for 2 people' }).click();
    expect(await preview()).toEqual([
      '1 person joins Atlas',
      '1 person joins Managers (Atlas)',
      'Ben becomes a manager',
      '1 person stays as is, because others have changed it since',
    ]);
    await dialog.getByLabel('Reason').fill('The wrong people');
    await button('Undo').click();
    expect(await said('Undone')).toMatch(/^Undone: 1 person joins Atlas · 1 person joins Managers \(Atlas\) · /);
    expect(sent[0]?.postDataJSON()).toEqual({ reason: 'The wrong people' });
  });

  it('needs no mouse, and has no barriers on a phone, in the dark and from right to left', async () => {
    await begin(ADD, ['dee'], { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await dialog.getByRole('option').first().waitFor();
    expect(await person.barriers()).toEqual([]);
    await page.keyboard.type('Borealis');
    await page.keyboard.press('Enter');
    await preview();
    expect(await person.barriers()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    // The list of the field is closed first, the dialog after it.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    // The reason, Cancel, and the button that does it.
    for (let stop = 0; stop < 3; stop++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.toast').waitFor();
    expect(sent[0]?.postDataJSON()).toEqual({ userIds: ['dee'], workspaces: ['borealis'] });
  });

  it('counts down the last characters of a reason, and has no barriers in the light', async () => {
    await begin(SUSPEND, ['dee']);
    await preview();
    await dialog.getByLabel('Reason').fill('😀'.repeat(450));
    await person.sees('50 characters left');
    await dialog.getByLabel('Reason').fill('😀'.repeat(501));
    await person.sees('1 character too many');
    expect(await isDisabled('Suspend 1 person')).toBe(true);
    expect(await person.barriers()).toEqual([]);
  });
});
