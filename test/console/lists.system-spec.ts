import { readFileSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';
import { Calls } from './calls';
import { until } from './until';

const CREW = 230;
/** What the browser says about answers of failure. */
const REFUSED = /^Failed to load resource/;

describeInBrowser('the lists of the page for administrators', () => {
  let service: TestService;
  let browser: Browser;
  let calls: Calls;
  let person: Administrator;

  beforeAll(async () => {
    service = await startDemoService();
    calls = new Calls(service);
    for (let index = 100; index < 100 + CREW; index++) {
      const body = { id: `crew-${index}`, email: `crew-${index}@crew.example`, workspaces: ['cosmos'] };
      await calls.done('POST', '/api/users', body);
    }
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  }, 120_000);
  afterEach(async () => {
    const unexpected = person.complaints.filter((text) => !REFUSED.test(text));
    await person.close();
    expect(unexpected).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const at = async (address: string, options: object = {}) =>
    (person = await Administrator.at(browser, service, { address, ...options }));
  const dialog = () => person.page.getByRole('dialog');
  const firstIs = (name: string) =>
    until(person.page, `document.querySelector('#results tbody th a')?.textContent === ${JSON.stringify(name)}`);

  it('sort by name and by last change, and say how many there are', async () => {
    await at('#/people');
    await person.sees('236 people found');
    await person.click('button', /^Person/);
    await firstIs('Ada');
    await person.page.getByRole('columnheader', { name: 'Person', includeHidden: false }).waitFor();
    await calls.done('PATCH', '/api/users/cyd', { displayName: 'Cyd' });
    await person.click('button', /^Last change/);
    await until(person.page, `location.hash === '#/people?sort=-updatedAt'`);
    await calls.done('PATCH', '/api/users/dee', { displayName: 'Dee D.' });
    await firstIs('Dee D.');
    await calls.done('PATCH', '/api/users/dee', { displayName: 'Dee' });
    const height = await person.page
      .locator('#results tbody tr')
      .first()
      .evaluate((row) => row.clientHeight);
    expect(height).toBeLessThanOrEqual(46);
    await person.page.evaluate(`location.hash = '#/workspaces'`);
    await person.page.locator('tr', { hasText: 'Cosmos' }).getByText('231', { exact: true }).waitFor();
  });

  it('are as one left them, when one comes back', async () => {
    await at('#/people?search=crew');
    for (const rows of [100, 150]) {
      await person.click('button', 'Show more');
      await person.page
        .locator('#results tbody tr')
        .nth(rows - 1)
        .waitFor();
    }
    await person.page.getByRole('link', { name: 'crew-240' }).scrollIntoViewIfNeeded();
    const before = Number(await person.page.evaluate('scrollY'));
    expect(before).toBeGreaterThan(1000);
    await person.page.getByRole('link', { name: 'crew-240' }).click();
    await person.page.getByRole('heading', { name: 'crew-240' }).waitFor();
    await person.page.goBack();
    await person.page.locator('#results tbody tr').nth(149).waitFor();
    await until(person.page, `Math.abs(scrollY - ${before}) < 60`);
  });

  it('are fresh: what others change is loaded and marked', async () => {
    await at('#/people/eve');
    await person.page.getByRole('heading', { name: 'Eve' }).waitFor();
    await person.follows;
    await calls.done('PATCH', '/api/users/eve', { displayName: 'Eve of the others' });
    await person.page.getByRole('heading', { name: 'Eve of the others' }).waitFor();
    await person.page.evaluate(`location.hash = '#/people?search=eve'`);
    await person.page.locator('#results tr').nth(1).waitFor();
    await calls.done('PATCH', '/api/users/eve', { displayName: 'Eve' });
    await person.page.locator('tr.fresh', { hasText: 'eve@' }).waitFor();
  });

  it.each([
    ['workspaces', '#/workspaces', 'borealis', { name: 'Borealis' }, { name: 'Boreal' }],
    ['permissions', '#/permissions', 'content.edit', { description: 'Edit content' }, { description: 'Edit all' }],
    ['groups', '#/workspaces/borealis', 'borealis-editors', { name: 'Editors' }, { name: 'Writers' }],
  ])('are fresh: %s that others change are marked, and no others', async (kind, address, id, before, after) => {
    await at(address);
    await person.page.locator(`main a[href$="/${kind}/${id}"]`).first().waitFor();
    await person.follows;
    await calls.done('PATCH', `/api/${kind}/${id}`, after);
    const marked = person.page.locator(`main :is(tr, li).fresh`);
    await marked.waitFor();
    await marked.getByText(Object.values(after)[0] ?? '', { exact: true }).waitFor();
    expect(await marked.count()).toBe(1);
    await calls.done('PATCH', `/api/${kind}/${id}`, before);
  });

  it('say that the service is away, dim what is old, and find it again by themselves', async () => {
    await at('#/people?search=eve');
    await person.sees('1 person found');
    const away = (address: URL) => address.pathname.startsWith('/api/');
    await person.page.route(away, (route) => route.abort());
    await calls.done('PATCH', '/api/users/eve', { displayName: 'Eve' });
    await calls.done('PATCH', '/api/users/eve', { displayName: 'Eve the second' });
    await person.page.getByText(/^The service does not answer\. What you see may be old/).waitFor();
    expect(await person.page.locator('main.stale').count()).toBe(1);
    await person.page.unroute(away);
    await person.sees('Eve the second');
    await person.page.locator('main.stale').waitFor({ state: 'detached' });
    await calls.done('PATCH', '/api/users/eve', { displayName: 'Eve' });
  });

  it('take a pasted list, say who is missing, and select the others', async () => {
    await at('#/people?search=ada');
    await person.click('button', 'Paste a list …');
    const listed = Array.from({ length: 120 }, (_, index) => `"Crew" <CREW-${index + 100}@crew.example>`);
    await person.type(
      'Or paste addresses or ids',
      [...listed, 'ben; cyd, nobody', 'no@body.example'].join('\n'),
      dialog(),
    );
    await person.click('button', 'Find them');
    await person.sees('122 of 124 found.', dialog());
    await person.sees('Not found: 2', dialog());
    expect(await dialog().locator('.missing li').allInnerTexts()).toEqual(['nobody', 'no@body.example']);
    expect(await person.barriers()).toEqual([]);
    await person.click('button', 'Select all (122)');
    await person.sees(/^122 selected$/);
    await person.sees('122 not in this list');
    await person.click('button', 'Suspend');
    await person.sees(/^crew-100, crew-101.* and 112 more$/, dialog());
  });

  it('add people to a group, which keeps its place in mind', async () => {
    await at('#/groups/atlas-editors');
    await person.click('button', 'Add people …');
    await person.type('Or paste addresses or ids', 'crew-101 crew-102', dialog());
    await person.click('button', 'Find them');
    await person.type('Find people', 'dee', dialog());
    await dialog().getByRole('option', { name: /Dee/ }).click();
    await person.click('button', 'Add 3 people', dialog());
    await person.sees('3 people join Editors', dialog());
    await person.click('button', 'Add 3 people', dialog());
    await person.sees(/3 people were added to .+Editors/);
    const { users } = await calls.done<{ users: { id: string }[] }>('GET', '/api/users?group=atlas-editors');
    expect(users.map(({ id }) => id)).toEqual(expect.arrayContaining(['crew-101', 'crew-102', 'dee']));
  });

  it('tell kinds of records apart by a picture where they are mixed: places to choose, filters, and the history', async () => {
    const pictures = async (selector: string) =>
      new Set(
        await person.page
          .locator(`${selector} .icon path`)
          .evaluateAll((paths) => paths.map((path) => path.getAttribute('d'))),
      );
    await at('#/people');
    await person.type('Find people', 'edit');
    await person.page
      .getByRole('option', { name: /^in .?Editors/ })
      .first()
      .waitFor();
    await person.page.getByRole('option', { name: /^with permission .?content\.edit/ }).waitFor();
    const [group, permission] = await pictures('.filter-choices');
    expect([group, permission]).toEqual([expect.any(String), expect.any(String)]);
    await person.page.evaluate(`location.hash = '#/people/ben'`);
    await person.click('button', 'Add to …');
    await dialog()
      .getByRole('option', { name: /Editors/ })
      .first()
      .waitFor();
    const [workspace, ...others] = await pictures('[role=listbox]');
    expect(others).toEqual([group]);
    await person.press('Escape');
    await person.press('Escape');
    await calls.done('POST', '/api/users/workspace-assign', {
      userIds: ['dee'],
      workspaces: ['borealis'],
      groups: ['borealis-editors'],
    });
    await person.page.evaluate(`location.hash = '#/history?user=dee'`);
    await person.sees(/Borealis/, person.page.locator('.history'));
    expect(await pictures('.history .sentence')).toEqual(new Set([workspace, group]));
  });

  it('are saved as a file: all that match, and with their places', async () => {
    await calls.done('PATCH', '/api/users/ben', { activeUntil: '2036-05-06T07:08:09Z' });
    await calls.done('POST', '/api/users/workspace-unassign', {
      userIds: ['ben'],
      workspaces: ['atlas'],
      groups: ['atlas-managers'],
      until: '2036-03-04T05:06:07Z',
    });
    await at('#/people?workspace=atlas', { timezoneId: 'UTC' });
    await person.page.locator('#results tr').nth(2).waitFor();
    const save = async (button: string) => {
      if (!(await person.page.getByRole('button', { name: button }).isVisible()))
        await person.page.getByText('Export', { exact: true }).click();
      const download = person.page.waitForEvent('download');
      await person.click('button', button);
      return readFileSync(await (await download).path(), 'utf8').split('\r\n');
    };
    const all = await save('All that match, as CSV');
    expect(all[0]).toBe('\uFEFFid,name,email,type,status,created,last change,active until');
    expect(all.find((line) => line.startsWith('ben,'))).toMatch(/^ben,Ben,ben@example\.com,manager,active,\d{4}-/);
    const withPlaces = await save('With their places (the first 1,000)');
    expect(withPlaces).toHaveLength(all.length);
    expect(withPlaces.find((line) => line.startsWith('ben,'))).toMatch(
      /,2036-05-06 07:08:09 \+00:00,Atlas,Managers \(Atlas\) until 2036-03-04 05:06:07 \+00:00$/,
    );
    const access = await save(
      'Who has what: each permission, workspace and group of these people, since when, until when, by whom and why (CSV)',
    );
    expect(access[0]).toBe(
      '\uFEFFuser,email,displayName,type,status,activeUntil,source,sourceId,sourceName,workspace,permissions,since,until,actorKind,actor,reason',
    );
    expect(access.find((line) => line.startsWith('ben,') && line.includes(',group,atlas-managers,'))).toMatch(
      /,group,atlas-managers,Managers,atlas,workspace\.manage,\d{4}-[^,]+Z,2036-03-04T05:06:07\.000Z,system,demo directory,$/,
    );
  });

  it('lead from a selection to its bar within three steps', async () => {
    await at('#/people');
    await person.page.getByLabel('Select ⁨Ben⁩').click();
    for (let step = 0; step < 3; step++) {
      await person.press('Tab');
      if (await person.page.evaluate(`document.activeElement.closest('.selection') !== null`)) return;
    }
    throw new Error('The bar is further away.');
  });
});
