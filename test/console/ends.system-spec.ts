import { readFileSync } from 'node:fs';
import { type Browser, chromium, type Locator } from 'playwright-core';
import { EndsClock } from '../../packages/testing/src/ends-clock';
import { Expiry } from '../../src/expiry/expiry';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';
import { Calls } from './calls';

const DAY_MS = 86_400_000;
/** The day of a moment, by the clock of the browser, which is that of this process. */
function localDay(moment: number | string): string {
  const at = new Date(moment);
  return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`;
}
const dayIn = (days: number): string => localDay(Date.now() + days * DAY_MS);
const endOf = (day: string) => new Date(`${day}T23:59:59`).toISOString();
/** A moment as the page tells it. */
const told = (at: string) =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    ...(new Date(at).getFullYear() !== new Date().getFullYear() && { year: 'numeric' }),
  } as const).format(new Date(at));
const inWords = (day: string) => told(endOf(day));
const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '');

describeInBrowser('access that ends, at the administrators’ page', () => {
  let service: TestService;
  let browser: Browser;
  let calls: Calls;
  let person: Administrator;
  let dialog: Locator;

  beforeAll(async () => {
    service = await startDemoService();
    calls = new Calls(service);
    for (const id of ['contractor', 'other'])
      await calls.done('POST', '/api/users', { id, displayName: id[0]?.toUpperCase() + id.slice(1) });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterEach(async () => {
    const { complaints } = person;
    await person.close();
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = async (address: string) => {
    person = await Administrator.at(browser, service, { address });
    dialog = person.page.locator('dialog');
  };
  const memberships = async (id: string) =>
    (await calls.done<{ memberships: unknown[] }>('GET', `/api/users/${id}/memberships`)).memberships;
  const preview = async (last: RegExp) => {
    await dialog.locator('.preview li').filter({ hasText: last }).waitFor();
    return (await dialog.locator('.preview li').allInnerTexts()).map(plain);
  };
  /** What the button says. */
  const action = async () => plain(await dialog.locator('footer .primary').innerText());
  /** What the row of each workspace says: its name, its groups, since when, until when. */
  const places = async () => {
    const cells = await person.page.locator('.memberships :is(th, td:not(.acts))').allInnerTexts();
    return cells.map((cell) => plain(cell).trim().replace(/\s+/g, ' '));
  };

  /** Adds somebody to the managers of Atlas. @returns what it took */
  const add = async (until?: string): Promise<number> => {
    const before = person.actions;
    await person.click('button', 'Add to …');
    await person.click('option', /^\s*.?Managers.? \(.?Atlas/);
    if (until) {
      // Into the first part of the field, then the digits, as one types a date.
      person.actions++;
      await dialog.getByLabel('Ends on').click({ position: { x: 12, y: 12 } });
      const [year, month, day] = until.split('-');
      person.actions++;
      await person.page.keyboard.type(`${month}${day}${year}`);
      await preview(/Contractor: ends/);
    }
    await person.click('button', /^\W*Add 1 person/, dialog);
    await dialog.waitFor({ state: 'detached' });
    return person.actions - before;
  };

  it('adds a contractor until tomorrow by two clicks more, who is gone then', async () => {
    await open('#/people/other');
    const usual = await add();
    await person.close();
    await open('#/people/contractor');
    const until = endOf(dayIn(1));
    expect(await add(dayIn(1))).toBe(usual + 2);
    expect(await memberships('contractor')).toEqual([
      {
        workspace: { id: 'atlas', name: 'Atlas', until },
        groups: [{ id: 'atlas-managers', name: 'Managers', until }],
      },
    ]);
    await person.page.locator('.memberships time').first().waitFor();
    const today = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long' }).format(Date.now());
    await person.page.locator('.memberships td').nth(1).getByText(today).waitFor();
    expect(await places()).toEqual(['Atlas', `Managers ends ${inWords(dayIn(1))}`, today, `ends ${inWords(dayIn(1))}`]);
    await person.sees(new RegExp(`to .*Atlas.* and .*Managers.*\\(\\W*until \\W*${inWords(dayIn(1))}`));
    expect(await person.barriers()).toEqual([]);

    const clock = new EndsClock(service.dataSource);
    await clock.advance(2 * 86_400);
    await service.app.get(Expiry).carryOut();
    expect(await memberships('contractor')).toEqual([]);
    await person.page.getByText('In no workspace').waitFor();
    expect(await calls.done('GET', '/api/users/contractor')).toMatchObject({ type: 'guest' });
    const { entries } = await calls.done<{ entries: object[] }>('GET', '/api/journal?user=contractor&limit=2');
    expect(entries).toMatchObject([
      { action: 'user.type.changed', actor: { kind: 'system', id: 'user-admin expiry' } },
      { action: 'user.workspaces.unassigned', actor: { kind: 'system', id: 'user-admin expiry' } },
    ]);
    await person.sees(/The access of .* to .*Atlas.* ended, as .*Ada.* had set/);
    await clock.set(0);
  });

  it('corrects an end, takes it away, and tells both before', async () => {
    await calls.done('POST', '/api/users/workspace-assign', {
      userIds: ['contractor', 'other'],
      workspaces: ['borealis'],
      until: endOf(dayIn(3)),
    });
    await open('#/people/contractor');
    await person.takeOut('Borealis');
    await dialog.getByLabel('Ends on').fill(dayIn(1));
    expect(await preview(/ends/)).toEqual([`Contractor: ends ${inWords(dayIn(1))}`]);
    expect(await person.barriers()).toEqual([]);
    expect(await action()).toBe(`Take 1 person out on ${inWords(dayIn(1))}`);
    await person.click('button', /^\W*Take 1 person out/, dialog);
    await person.sees(/^Done: \W*Contractor\W*ends/);
    expect(await memberships('contractor')).toMatchObject([{ workspace: { until: endOf(dayIn(1)) } }]);

    await person.page.getByRole('button', { name: 'Add to …' }).click();
    await dialog
      .getByRole('option')
      .filter({ hasText: /^\s*BorealisWorkspace$/ })
      .click();
    await dialog.getByLabel('Ends on').fill(dayIn(40));
    expect(await preview(/ends/)).toEqual([`Contractor: ends ${inWords(dayIn(40))}`]);
    expect(await action()).toBe(`Add 1 person until ${inWords(dayIn(40))}`);
    await dialog.getByLabel('Ends on').fill('');
    expect(await preview(/without/)).toEqual(['Contractor: without an end']);
    expect(await action()).toBe('Add 1 person');
    await person.click('button', 'Add 1 person', dialog);
    await person.sees(/^Done: \W*Contractor\W*without an end/);
    await person.sees(/changed when the membership of Contractor ends: Borealis \(without an end\)/);
    expect(await memberships('contractor')).toEqual([{ workspace: { id: 'borealis', name: 'Borealis' }, groups: [] }]);
  });

  it('says of a later end that it changes nothing, and of somebody who leaves at once that they have left', async () => {
    await open('#/people/other');
    await person.takeOut('Borealis');
    await person.type('Ends on', dayIn(9), dialog);
    expect(await preview(/earlier/)).toEqual(['Not in, or ends earlier already: 1']);
    await person.sees('This changes nothing.', dialog);
    expect(await dialog.locator('footer .primary').isDisabled()).toBe(true);
    await person.type('Ends on', '', dialog);
    expect(await preview(/leaves/)).toEqual(['1 person leaves Borealis']);
    await person.click('button', 'Take 1 person out', dialog);
    await person.sees(/^1 person was taken out of \W*Borealis\W*\.$/);
    await person.click('button', 'Undo');
    await person.sees(/^Undone: /);
  });

  it('gives access until an hour in a zone, and changes and takes away that end at its chip, with a preview', async () => {
    await open('#/people/other');
    await person.click('button', 'Add to …');
    await person.click('option', /^\s*.?Cosmos.?Workspace$/);
    await dialog.getByLabel('Time zone').selectOption('Asia/Tehran');
    const day = dayIn(20);
    await person.type('Ends on', day, dialog);
    await person.type('Hour', '18:00', dialog);
    const until = new Date(`${day}T18:00:00+03:30`).toISOString();
    expect(await preview(/Other: ends/)).toContain(`Other: ends ${told(until)}`);
    expect(await action()).toBe(`Add 1 person until ${told(until)}`);
    await person.click('button', /^\W*Add 1 person/, dialog);
    await dialog.waitFor({ state: 'detached' });
    const end = async () => {
      const { memberships: all } = await calls.done<{ memberships: { workspace: { id: string; until?: string } }[] }>(
        'GET',
        '/api/users/other/memberships',
      );
      return all.find(({ workspace: { id } }) => id === 'cosmos')?.workspace.until;
    };
    expect(await end()).toBe(until);

    const chip = person.page
      .locator('.memberships summary')
      .filter({ has: person.page.locator(`[datetime="${until}"]`) });
    await chip.click();
    await person.click('button', 'Change the end …');
    await person.click('button', '+1 week', dialog);
    const later = new Date(Date.parse(until) + 7 * DAY_MS).toISOString();
    expect(await dialog.getByLabel('Ends on').inputValue()).toBe(localDay(later));
    await preview(/Other: ends/);
    await person.click('button', 'Save the end', dialog);
    await dialog.waitFor({ state: 'detached' });
    expect(Math.abs(Date.parse((await end()) ?? '') - Date.parse(later))).toBeLessThanOrEqual(3_600_000);

    await person.page.locator(`.memberships time[datetime="${await end()}"]`).click();
    await person.click('button', 'Change the end …');
    await person.type('Ends on', dayIn(3), dialog);
    await preview(/Other: ends/);
    expect(await person.barriers()).toEqual([]);
    await person.click('button', 'Save the end', dialog);
    await dialog.waitFor({ state: 'detached' });
    await person.page.locator(`.memberships time.near[datetime="${await end()}"]`).click();
    await person.click('button', 'Remove the end …');
    expect(await preview(/without/)).toEqual(['Other: without an end']);
    await person.click('button', 'Save the end', dialog);
    await dialog.waitFor({ state: 'detached' });
    expect(await end()).toBeUndefined();
  });

  it('changes and takes away the end of an account at its chip', async () => {
    await calls.done('POST', '/api/users', {
      id: 'temp',
      activeUntil: new Date(Date.now() + DAY_MS / 2).toISOString(),
    });
    await open('#/people/temp');
    const chip = person.page.locator('.record-head time.nearest');
    await chip.click();
    await person.click('button', 'Change the end …');
    await person.click('button', 'End of the year', dialog);
    const inputs = dialog.locator('.end-input input');
    expect(await inputs.first().inputValue()).toBe(`${new Date().getFullYear()}-12-31`);
    await person.type('Active until', dayIn(60), dialog);
    await person.click('button', 'Save', dialog);
    await dialog.waitFor({ state: 'detached' });
    const { activeUntil } = await calls.done<{ activeUntil: string }>('GET', '/api/users/temp');
    expect(localDay(activeUntil)).toBe(dayIn(60));
    await person.page.locator(`.record-head time.far[datetime="${activeUntil}"]`).click();
    await person.click('button', 'Remove the end …');
    await person.click('button', 'Save', dialog);
    await dialog.waitFor({ state: 'detached' });
    expect(await calls.done('GET', '/api/users/temp')).toMatchObject({ activeUntil: null });
  });

  it('takes no day that has passed, or is further ahead than ten years', async () => {
    await open('#/people/other');
    await person.takeOut('Borealis');
    await dialog.getByLabel('Ends on').fill(dayIn(-2));
    await person.sees('Please choose a day to come, at most ten years ahead.', dialog);
    expect(await dialog.locator('footer .primary').isDisabled()).toBe(true);
    await dialog.getByLabel('Ends on').fill(dayIn(9));
    await person.sees('What will change', dialog);
    await dialog.getByLabel('Ends on').fill(dayIn(4_000));
    await person.sees('Please choose a day to come, at most ten years ahead.', dialog);
    person.complaints.splice(0);
  });

  it('tells in the history what became of the end of an account', async () => {
    const change = (body: object) => calls.done('PATCH', '/api/users/cyd', body);
    const end = { activeUntil: endOf(dayIn(40)) };
    await change(end);
    await change({ ...end, displayName: 'Cydney' });
    await change({ activeUntil: null });
    await change({ ...end, displayName: 'Cyd' });
    await change({ activeUntil: null, email: 'c@example.com' });
    await calls.done('POST', '/api/users', { id: 'intern', displayName: 'Intern', ...end });
    await open('#/history');
    // Until the names have arrived.
    await person.page.locator('td.what a[title="ada"]', { hasText: /^Ada$/ }).nth(5).waitFor();
    await person.page.getByRole('link', { name: 'Intern', exact: true }).first().waitFor();
    const told = await person.page.locator('.history .sentence').allInnerTexts();
    expect(told.slice(0, 6).map(plain)).toEqual([
      `Ada created Intern (Active until: ${inWords(dayIn(40))})`,
      'Ada changed the email address of Cyd from cyd@example.com to c@example.com (Active until: none)',
      `Ada changed the name of Cyd from Cydney to Cyd (Active until: ${inWords(dayIn(40))})`,
      'Ada took away the end of the access of Cyd',
      'Ada changed the name of Cyd from Cyd to Cydney',
      `Ada let the access of Cyd end on ${inWords(dayIn(40))}`,
    ]);
  });

  it('tells the end of an act for many people, and of every way to hold what they may', async () => {
    const until = endOf(dayIn(40));
    const act = (body: object) => calls.done('POST', '/api/users/workspace-assign', { workspaces: ['atlas'], ...body });
    const inMonth = inWords(dayIn(40));
    await act({ userIds: ['dee', 'intern'], until: endOf(dayIn(30)) });
    await act({ userIds: ['dee', 'intern'], until });
    await open('#/history');
    await person.page.locator('td.what a[title="ada"]', { hasText: /^Ada$/ }).nth(1).waitFor();
    await person.page
      .locator('td.what a[title="atlas"]', { hasText: /^Atlas$/ })
      .nth(1)
      .waitFor();
    const told = await person.page.locator('.history .sentence').allInnerTexts();
    expect(told.slice(0, 2).map(plain)).toEqual([
      `Ada changed when the memberships of 2 people end: Atlas (until ${inMonth})`,
      `Ada added 2 people to Atlas (until ${inWords(dayIn(30))})`,
    ]);
    await calls.done('PATCH', '/api/users/dee', { permissions: ['workspace.manage'] });
    await person.page.evaluate(`location.hash = '#/people/dee'`);
    await person.page.getByText('One other permission').click();
    await person.sees(new RegExp(`ends .?${inMonth}`), person.page.locator('details[open] small'));
  });

  it('tells no end of an act whose memberships end differently, and each once in its entries', async () => {
    const bring = async (...records: object[]) => {
      const answer = await fetch(`${service.url}/api/imports`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.tokenOf('ada')}`, 'content-type': 'application/x-ndjson' },
        body: records.map((user) => JSON.stringify({ user })).join('\n'),
      });
      expect(answer.status).toBe(200);
    };
    const temp = (id: string, days: number) => ({ id, workspaces: [{ id: 'cosmos', until: endOf(dayIn(days)) }] });
    await bring({ id: 'temp-1' }, { id: 'temp-2' });
    await bring(temp('temp-1', 30), { ...temp('temp-2', 31), activeUntil: endOf(dayIn(33)) });
    await bring(temp('temp-1', 41), temp('temp-2', 42));
    await open('#/history');
    const told = person.page.locator('.history .sentence');
    await told.first().getByText('Ada', { exact: true }).waitFor();
    expect(plain(await told.first().innerText())).toBe('Ada imported a file: 2 changed');
    await person.page.evaluate(`location.hash = '#/history?user=temp-2'`);
    await person.sees('temp-2', person.page.locator('.chips'));
    await person.click('button', 'and what follows from it (1)');
    await person.sees('let the access of temp-2', person.page.locator('.history'));
    const lines = (await told.allInnerTexts()).map(plain);
    expect([...lines.slice(0, 2), lines.find((line) => line.includes('let the access of temp-2'))]).toEqual([
      `Ada changed when the membership of temp-2 ends: Cosmos (until ${inWords(dayIn(42))})`,
      `Ada added temp-2 to Cosmos (until ${inWords(dayIn(31))})`,
      `Ada let the access of temp-2 end on ${inWords(dayIn(33))}`,
    ]);
  });

  it('tells the people of a place, and people who are found, with what ends', async () => {
    await calls.done('PATCH', '/api/users/dee', { activeUntil: endOf(dayIn(35)) });
    const rows = async (selector: string) => {
      await person.page.locator(`${selector} time.word`).first().waitFor();
      return (await person.page.locator(selector).allInnerTexts()).map((row) => plain(row).replace(/\s+/g, ' ').trim());
    };
    const people = async () => (await rows('.rows > .line')).filter((row) => /^(Dee|Intern) /.test(row));
    await open('#/workspaces/atlas');
    // The account ends before the membership does.
    expect(await people()).toEqual([
      `Dee manager account ends ${inWords(dayIn(35))} Take out`,
      `Intern member account ends ${inWords(dayIn(40))} Take out`,
    ]);
    await person.page.evaluate(`location.hash = '#/people?search=dee'`);
    expect(await rows('.people .account-end')).toEqual([`account ends ${inWords(dayIn(35))}`]);
    await calls.done('POST', '/api/users/workspace-unassign', {
      userIds: ['intern'],
      workspaces: ['atlas'],
      until: endOf(dayIn(5)),
    });
    await person.page.evaluate(`location.hash = '#/people?ends=${dayIn(37)}'`);
    await person.sees(/Atlas/, person.page.locator('table.people'));
    // By what ends first, and what ends later is not told.
    expect(await rows('.people .ending')).toEqual([
      `Borealis ends ${inWords(dayIn(3))}`,
      `Atlas ends ${inWords(dayIn(5))}`,
      `account ends ${inWords(dayIn(33))}`,
      `account ends ${inWords(dayIn(35))}`,
    ]);
    await person.click('button', '7 days');
    await person.page.getByRole('link', { name: 'Dee' }).waitFor({ state: 'detached' });
    await person.sees(/ends soon\W*7 days/);
    await person.page.getByText('Export', { exact: true }).click();
    const file = person.page.waitForEvent('download');
    await person.click('button', 'What ends');
    const saved = readFileSync((await (await file).path()) ?? '', 'utf8').split('\r\n');
    expect(saved.slice(1)).toEqual([
      expect.stringMatching(/^other,Other,,\w+,active,workspace,Borealis,borealis,/),
      expect.stringMatching(/^intern,Intern,,\w+,active,workspace,Atlas,atlas,/),
      '',
    ]);
    expect(await person.barriers()).toEqual([]);
    // The list would ask for the places of somebody who is gone.
    await person.page.evaluate(`location.hash = '#/nowhere'`);
    await person.sees('There is no such page.');
    await calls.done('DELETE', '/api/users/intern');
  });

  it('gives an account an end, finds who ends soon, and shows both', async () => {
    await open('#/people/ben');
    await person.click('button', 'Edit');
    await dialog.getByLabel('Active until').fill(dayIn(4));
    await person.click('button', 'Save', dialog);
    await person.page
      .locator('.record-head time.word')
      .filter({ hasText: inWords(dayIn(4)) })
      .waitFor();
    expect(await calls.done('GET', '/api/users/ben')).toMatchObject({ activeUntil: endOf(dayIn(4)) });
    await person.page.evaluate(`location.hash = '#/people'`);
    await person.type('Find people', 'ends');
    await person.click('option', /ends soon\W*7 days/);
    await person.sees(/^2 people found$/);
    expect(await person.page.locator('tbody th a').allInnerTexts()).toEqual(['Other', 'Ben']);
    await person.page.getByRole('button', { name: /ends soon/ }).waitFor();
    expect(await person.barriers()).toEqual([]);
  });
});
