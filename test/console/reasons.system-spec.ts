import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';
import { Calls } from './calls';
import { until } from './until';

describeInBrowser('reasons and keys of the administrators’ page', () => {
  let service: TestService;
  let browser: Browser;
  let calls: Calls;
  let person: Administrator;

  beforeAll(async () => {
    service = await startDemoService();
    calls = new Calls(service);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterEach(async () => {
    const { complaints } = person;
    await person.close();
    // The browser itself tells of somebody who is gone.
    expect(complaints.filter((text) => !text.includes('status of 404'))).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = async (address: string) => (person = await Administrator.at(browser, service, { address }));
  const dialog = () => person.page.getByRole('dialog');
  const submit = async (button: string) => {
    await person.click('button', button, dialog());
    await dialog().waitFor({ state: 'detached' });
  };
  const reasonsOf = async (action: string) => {
    const { entries } = await calls.done<{ entries: { reason: string | null }[] }>(
      'GET',
      `/api/journal?action=${action}&limit=1`,
    );
    return entries.map(({ reason }) => reason);
  };

  it('asks for a reason wherever a record is made, changed or deleted, and the history tells it', async () => {
    await open('#/workspaces');
    await person.click('button', 'New workspace');
    await person.type('Name', 'Delta', dialog());
    await person.type('Reason', 'a new project', dialog());
    await submit('Create');
    await person.page.getByRole('heading', { name: 'Delta', exact: true }).waitFor();
    expect(await reasonsOf('workspace.created')).toEqual(['a new project']);

    await person.click('button', 'Edit');
    await person.type('Name', 'Delta 2', dialog());
    await person.type('Reason', 'a better name', dialog());
    await submit('Save');
    await person.page.getByRole('heading', { name: 'Delta 2', exact: true }).waitFor();
    expect(await reasonsOf('workspace.updated')).toEqual(['a better name']);

    await person.click('button', 'Delete');
    await person.type(/To confirm/, 'Delta 2', dialog());
    await person.type('Reason', 'it is over', dialog());
    await submit('Delete');
    await person.page.waitForURL(/#\/workspaces$/);
    expect(await reasonsOf('workspace.deleted')).toEqual(['it is over']);
    await person.page.evaluate(`location.hash = '#/history'`);
    await person.sees('it is over', person.page.locator('.history'));
  });

  it('takes a reason with each act on a person, and keeps it', async () => {
    await calls.done('POST', '/api/users', { id: 'pia', displayName: 'Pia', workspaces: ['atlas'] });
    await open('#/people/pia');
    const { page } = person;
    const shown = () => page.getByRole('heading', { name: 'Pia' }).waitFor();
    await shown();
    const more = async (item: string) => {
      await page.getByText('More', { exact: true }).click();
      await person.click('button', item);
      await dialog().getByLabel('Reason').waitFor();
    };
    const why = (reason: string) => person.type('Reason', reason, dialog());

    await person.click('button', 'Edit');
    await person.type('Name', 'Pia P.', dialog());
    await why('married');
    await submit('Save');
    expect(await reasonsOf('user.updated')).toEqual(['married']);

    await person.click('button', 'Add to …');
    await person.click('option', /^Borealis/, dialog());
    await why('helps out');
    await submit('Add 1 person');
    expect(await reasonsOf('user.workspaces.assigned')).toEqual(['helps out']);

    await more('Status token …');
    await why('a welcome mail');
    await person.click('button', 'Make it', dialog());
    await dialog()
      .getByLabel(/^Token/)
      .waitFor();
    await person.press('Escape');
    await person.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await reasonsOf('user.status_token.minted')).toEqual(['a welcome mail']);

    await more('Change the id …');
    await person.type('New id', 'pia-2', dialog());
    await person.type(/^To confirm/, 'pia', dialog());
    await why('a new system');
    await submit('Change the id');
    await page.waitForURL('**/admin#/people/pia-2');
    await shown();
    expect(await reasonsOf('user.renamed')).toEqual(['a new system']);

    await more('Make administrator …');
    await why('a deputy');
    await submit('Make administrator');
    expect(await reasonsOf('user.permissions.changed')).toEqual(['a deputy']);

    await more('Delete …');
    await person.type(/^To confirm/, 'pia-2', dialog());
    await why('left');
    await submit('Delete');
    await page.waitForURL('**/admin#/people');
    expect(await reasonsOf('user.deleted')).toEqual(['left']);
    // The erasure takes the other reasons away, and keeps its own.
    await page.evaluate(`location.hash = '#/people/pia-2'`);
    await person.click('button', 'Erase personal data …');
    await person.type(/^To confirm/, 'pia-2', dialog());
    await why('asked for it');
    await submit('Erase');
    expect(await reasonsOf('user.erased')).toEqual(['asked for it']);
    expect(await reasonsOf('user.deleted')).toEqual([null]);
  });

  it('opens the undo dialog of the last act of this tab with Ctrl+Z outside of fields, and finds with Ctrl+K from anywhere', async () => {
    await open('#/people/dee');
    await person.page.getByRole('heading', { name: 'Dee' }).waitFor();
    await person.press('Control+z');
    expect(await dialog().count()).toBe(0);
    await person.click('button', 'Suspend');
    await submit('Suspend 1 person');
    await person.page.evaluate(`location.hash = '#/history'`);
    await person.page.locator('table.history').waitFor();
    await person.press('Control+k');
    await until(person.page, `document.activeElement.getAttribute('aria-label') === 'Find people'`);
    // In a field it takes back what was typed.
    await person.press('Control+z');
    expect(await dialog().count()).toBe(0);
    await person.page.evaluate('document.activeElement.blur()');
    await person.press('Control+z');
    await person.sees('Dee was suspended by Ada', dialog());
    await submit('Undo');
    expect(await calls.done('GET', '/api/users/dee')).toMatchObject({ status: 'active' });
  });
});
