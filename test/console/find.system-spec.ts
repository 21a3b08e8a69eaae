import { type Browser, chromium, type Page, type Request } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';

/** What the page's own globals are, of which this side knows nothing. */
interface Dom {
  location: { hash: string };
  document: {
    activeElement: { textContent: string };
    querySelectorAll(selector: string): Iterable<{ textContent: string }>;
  };
}

/** More than can be selected at once. */
const CROWD = 10_050;

describeInBrowser('Finding people at the administrators’ page', () => {
  let service: TestService;
  let browser: Browser;
  let person: Administrator;
  let page: Page;

  const open = async (address: string, options: Parameters<typeof Administrator.at>[2] = {}) => {
    person = await Administrator.at(browser, service, { address, ...options });
    page = person.page;
    // What is typed goes where the focus is.
    await page.waitForFunction(`document.activeElement?.matches('[role=search] input')`);
  };
  const box = () => page.getByRole('combobox', { name: 'Find people' });
  const names = () => page.locator('#results tbody th a').allInnerTexts();
  /** Waits for what the page shows. */
  const shows = (what: 'names' | 'hash' | 'focus', expected: string) =>
    page.waitForFunction(
      ({ what, expected }) => {
        const { document, location } = globalThis as unknown as Dom;
        if (what === 'hash') return location.hash === expected;
        if (what === 'focus') return document.activeElement.textContent === expected;
        return [...document.querySelectorAll('#results tbody th a')].map((a) => a.textContent).join() === expected;
      },
      { what, expected },
    );
  /** Waits until exactly these people are shown. */
  const finds = (...expected: string[]) => shows('names', expected.join());
  const focused = () => page.evaluate('document.activeElement.textContent');
  const isInBox = () => page.evaluate('document.activeElement.getAttribute("aria-label") === "Find people"');
  const isAt = (hash: string) => shows('hash', hash);
  const sidewaysScroll = () =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  /** Holds back the answers to one search until it is released. */
  const hold = async (search: string) => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(
      (url) => url.pathname === '/api/users' && url.searchParams.get('search') === search,
      async (route) => {
        await released;
        // The page may have given it up.
        await route.continue().catch(() => undefined);
      },
    );
    return release;
  };

  beforeAll(async () => {
    service = await startDemoService();
    await service.dataSource.query(
      `INSERT INTO users (id, type, status) SELECT 'crowd-' || lpad(i::text, 5, '0'), 'guest', 'active' FROM generate_series(1, $1::int) AS i`,
      [CROWD],
    );
    const answer = await fetch(`${service.url}/api/users/dee`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${service.tokenOf('ada')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ displayName: 'Renée Ångström' }),
    });
    expect(answer.status).toBe(200);
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

  it('finds from the first character, whatever the case and the accents, and opens the first by Enter', async () => {
    await open('#/people');
    await page.keyboard.type('e');
    await finds('Eve');
    await isAt('#/people?search=e');
    await box().fill('');
    await page.getByText('More than 10,000 people found').waitFor();
    await page.keyboard.type('renee ANG');
    await finds('Renée Ångström');
    await page.getByText('1 person found').waitFor();
    await page.keyboard.press('Enter');
    await isAt('#/people/dee');
    await page.goBack();
    await finds('Renée Ångström');
    expect(await box().inputValue()).toBe('renee ANG');
    await box().fill('nobody at all');
    await page.getByText('Nobody was found.').waitFor();
  });

  it('takes words and places as filters by the keyboard alone; the back button and a reload keep them', async () => {
    await open('#/people');
    await page.keyboard.type('SUSP');
    await page.keyboard.press('ArrowDown');
    await page.locator('[role="option"][aria-selected="true"]', { hasText: 'suspended' }).waitFor();
    await page.keyboard.press('Enter');
    await finds('Eve');
    expect(await box().inputValue()).toBe('');
    await page.keyboard.type('in atl');
    await page.getByRole('option', { name: 'in ⁨Atlas⁩', exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await isAt('#/people?status=inactive&workspace=atlas');
    await page.getByRole('button', { name: 'in Atlas' }).waitFor();
    await page.goBack();
    // What was typed before the choice is a step of its own.
    await page.getByRole('button', { name: 'in Atlas' }).waitFor({ state: 'detached' });
    await page.goForward();
    await page.reload();
    await finds('Eve');
    await page.getByRole('button', { name: 'in Atlas' }).waitFor();
    await page.getByRole('button', { name: 'suspended' }).click();
    await finds('Ada', 'Ben', 'Eve');
    // A whole word needs no choosing, and Backspace takes the last filter away.
    await page.keyboard.type('managers');
    await page.keyboard.press('Enter');
    await finds('Ben');
    await page.keyboard.press('Backspace');
    await isAt('#/people?type=manager');
    await page.keyboard.type('editors');
    await page.getByRole('option', { name: 'in ⁨Editors⁩ (⁨Atlas⁩)' }).click();
    await isAt('#/people?type=manager&group=atlas-editors');
    await page.keyboard.type('content.r');
    await page.getByRole('option', { name: 'with permission ⁨content.read⁩' }).click();
    await isAt('#/people?type=manager&group=atlas-editors&permission=content.read');
  });

  it('goes from the box through the results and back', async () => {
    await open('#/people?workspace=atlas');
    await finds('Ada', 'Ben', 'Eve');
    await page.keyboard.type('@example');
    await finds('Ada', 'Ben', 'Eve');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Ada');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Ben');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await isInBox()).toBe(true);
    await page.getByRole('button', { name: 'in Atlas' }).click();
    await isAt('#/people?search=%40example');
    expect(await box().inputValue()).toBe('@example');
    await page.keyboard.press('Escape');
    await isAt('#/people');
    await page.keyboard.press('Tab');
    await page.keyboard.press('/');
    expect(await isInBox()).toBe(true);
    expect(await box().inputValue()).toBe('');
  });

  it('drops the answer to an earlier search, and waits for that to the present one before it opens anybody', async () => {
    await open('#/people?workspace=atlas');
    await finds('Ada', 'Ben', 'Eve');
    const releaseEarlier = await hold('ada');
    const asked = page.waitForRequest(/search=ada/);
    const given = page.waitForEvent('requestfailed', (request: Request) => request.url().includes('search=ada'));
    await page.keyboard.type('ada');
    await asked;
    await box().fill('ben');
    await finds('Ben');
    await given;
    releaseEarlier();
    const release = await hold('eve');
    const askedNow = page.waitForRequest(/users\?.*search=eve/);
    await box().fill('eve');
    await page.keyboard.press('Enter');
    await askedNow;
    expect(await names()).toEqual(['Ben']);
    release();
    await isAt('#/people/eve');
  });

  it('selects ranges, all shown, and all that were found, up to the limit, and keeps them while one searches on', async () => {
    await open('#/people?search=crowd-00');
    await page.getByText('999 people found').waitFor();
    await page.getByLabel('Select ⁨crowd-00002⁩').click();
    await page.getByLabel('Select ⁨crowd-00006⁩').click({ modifiers: ['Shift'] });
    await person.sees(/^5 selected$/);
    await page.getByLabel('Select all shown').click();
    await person.sees(/^50 selected$/);
    await page.getByRole('button', { name: 'Show more' }).click();
    await shows('focus', 'crowd-00051');
    await page.getByLabel('Select all shown').click();
    await person.sees(/^100 selected$/);

    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/limit=200/, async (route) => {
      await released;
      await route.continue().catch(() => undefined);
    });
    await page.getByRole('button', { name: 'Select all that were found' }).click();
    await person.sees('Selecting …');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await person.sees(/^100 selected$/);
    release();
    await page.getByRole('button', { name: 'Select all that were found' }).click();
    await person.sees(/^999 selected$/);

    await box().fill('ada');
    await finds('Ada');
    await page.getByLabel('Select ⁨Ada⁩').click();
    await person.sees(/^1,000 selected$/);
    await page.getByText(/^1,000 selected$/).click();
    await page.getByRole('button', { name: 'Take ⁨crowd-00001⁩ out of the selection' }).click();
    await person.sees(/^999 selected$/);
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear the selection' }).click();
    await page.getByText(/selected$/).waitFor({ state: 'detached' });

    await box().fill('crowd');
    await page.getByText('More than 10,000 people found').waitFor();
    await page.getByLabel('Select ⁨crowd-00002⁩').waitFor();
    await page.getByLabel('Select all shown').click();
    await page.getByRole('button', { name: 'Select all that were found' }).click();
    await page.getByText('The first 10,000 of more are selected').waitFor({ timeout: 90_000 });
  });

  it.each([
    { width: 1280, colorScheme: 'light' },
    { width: 360, colorScheme: 'dark' },
  ] as const)('puts no barriers up, $width px wide and $colorScheme', async ({ width, colorScheme }) => {
    await open('#/people?workspace=atlas', { viewport: { width, height: 740 }, colorScheme });
    await page.getByLabel('Select ⁨Ben⁩').click();
    await page.getByText(/^1 selected$/).click();
    await box().fill('a');
    await page.getByRole('option', { name: 'administrators' }).waitFor();
    await finds('Ada');
    await page.keyboard.press('ArrowDown');
    expect(await person.barriers()).toEqual([]);
    expect(await sidewaysScroll()).toBe(0);
  });

  it('finds workspaces with their groups, groups, and permissions', async () => {
    await open('#/workspaces', { viewport: { width: 360, height: 740 } });
    await page.getByRole('row', { name: /Atlas/ }).getByRole('link', { name: 'Managers' }).waitFor();
    await page.keyboard.type('editors');
    await page.getByText('No workspace was found.').waitFor();
    await page.getByRole('heading', { name: 'Groups that match' }).waitFor();
    expect(await person.barriers()).toEqual([]);
    await page.getByRole('textbox', { name: 'Find workspaces' }).fill('bor');
    await finds('Borealis');
    expect(await sidewaysScroll()).toBe(0);
    await page.keyboard.press('Enter');
    await isAt('#/workspaces/borealis');
    await page.evaluate(`location.hash = '#/permissions'`);
    await page.getByRole('textbox', { name: 'Find permissions' }).fill('administer');
    await finds('users.administer');
    expect(await person.barriers()).toEqual([]);
  });

  it('takes what people paste, keeps the filters, and makes a list of several lines', async () => {
    await open('#/people');
    const paste = (text: string) =>
      page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', ${JSON.stringify(text)});
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      })()`);
    await box().fill('"Ada" <ada@example.com>;');
    await person.sees('1 person found');
    expect(await person.page.locator('.filters button.word').allInnerTexts()).toContain('suspended');
    await person.click('button', 'suspended');
    await page.locator('.filters .chosen').waitFor();
    await paste('ada@example.com\nben');
    await person.sees('2 of 2 found.');
    await person.click('button', 'Select all (2)');
    await person.sees(/^2 selected$/);
    expect(await person.barriers()).toEqual([]);
  });
});
