import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import { startTestService, type TestService } from '../support/test-service';
import { Administrator } from './administrator';
import { Calls } from './calls';

/** What an administrator can do next where there is nothing, by the address. */
const NEXT_STEPS = {
  '#/people?search=nobody&status=active': ['link', 'Search without the filters'],
  '#/workspaces': ['button', 'New workspace'],
  '#/workspaces?search=nowhere': ['link', 'Show all'],
  '#/permissions': ['button', 'New permission'],
  '#/permissions?search=nothing': ['link', 'Show all'],
  '#/history?user=nobody': ['link', 'Search without the filters'],
  '#/connections': ['button', 'New connection'],
  '#/webhooks': ['button', 'New webhook'],
  '#/workspaces/bare': ['button', 'New group'],
} as const;

describeInBrowser('where there is nothing', () => {
  let service: TestService;
  let browser: Browser;
  let person: Administrator;

  beforeAll(async () => {
    service = await startTestService();
    await service.directory.user('ada', { type: 'administrator' });
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

  const stepsAt = async (address: string) => {
    await person.page.evaluate(`location.hash = ${JSON.stringify(address)}`);
    await person.page.locator('.empty').first().waitFor();
    return person.page.locator('.empty');
  };

  it('the page tells an administrator the next step, once', async () => {
    person = await Administrator.at(browser, service);
    for (const [address, [role, name]] of Object.entries(NEXT_STEPS)) {
      if (address.endsWith('bare'))
        await new Calls(service).done('POST', '/api/workspaces', { id: 'bare', name: 'Bare' });
      const empty = await stepsAt(address);
      await empty.getByRole(role, { name, exact: true }).waitFor();
      expect(await person.page.getByRole(role, { name, exact: true }).count()).toBe(1);
      expect(await person.barriers()).toEqual([]);
      await person.page.evaluate(`location.hash = '#/nowhere'`);
      await person.sees('There is no such page.');
    }
    const empty = await stepsAt('#/workspaces/bare');
    await empty.getByRole('button', { name: 'New group' }).click();
    const dialog = person.page.getByRole('dialog', { name: 'New group' });
    await dialog.waitFor();
    // It does not look like the line that it was opened from.
    expect(await person.page.evaluate(`getComputedStyle(document.querySelector('dialog')).textAlign`)).toBe('start');
  });
});
