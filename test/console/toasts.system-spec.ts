import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';

/** A message appears, and its time begins, within so long after an answer. */
const SOON_MS = 300;

describeInBrowser('what the page says after an act', () => {
  let service: TestService;
  let browser: Browser;
  let person: Administrator;

  beforeAll(async () => {
    service = await startDemoService();
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

  const dialog = () => person.page.getByRole('dialog');
  const rename = async () => {
    await person.click('button', 'Edit');
    await person.type('Name', 'Benjamin', dialog());
    return dialog().getByRole('button', { name: 'Save' });
  };
  const suspend = async () => {
    await person.click('button', 'Suspend');
    await person.sees('1 person becomes suspended', dialog());
    return dialog().getByRole('button', { name: 'Suspend 1 person' });
  };

  it.each([
    [6_000, 'without a way back', rename, /was saved\./],
    [20_000, 'with Undo', suspend, /^1 person was suspended/],
  ])('leaves after %d ms %s', async (stays, _, prepare, said) => {
    person = await Administrator.at(browser, service, { address: '#/people/ben' });
    const { clock } = person.page;
    await clock.install();
    const last = await prepare();
    await clock.pauseAt(Date.now() + 1_000);
    await last.click();
    const toast = person.page.locator('.toast', { hasText: said });
    await toast.waitFor();
    await clock.runFor(SOON_MS);
    await clock.runFor(stays - 2 * SOON_MS);
    expect(await toast.isVisible()).toBe(true);
    await clock.runFor(2 * SOON_MS);
    expect(await toast.count()).toBe(0);
  });
});
