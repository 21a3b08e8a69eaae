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
    expect(complaints).toEqual([]);
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
