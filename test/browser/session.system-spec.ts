import { useDemoService } from '../support/demo-service';
import { Administrator } from './administrator';
import { describeInBrowser, useBrowser } from './describe-in-browser';

const NOT_ACCEPTED = 'The service did not accept your token. Please sign in again.';
const UNAUTHORIZED = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';
describeInBrowser('what the page of Swagger UI says about the session', () => {
  const service = useDemoService();
  const browser = useBrowser();
  let person: Administrator | undefined;

  afterEach(async () => {
    await person?.close();
    person = undefined;
  });

  async function signIn(token: string, page = ''): Promise<Administrator> {
    person = await Administrator.at(browser, `${service.url}/api/docs${page}#token=${token}`);
    return person;
  }

  /** Does what makes the page ask whether one token may replace another, and answers. */
  async function answering(yes: boolean, act: () => Promise<unknown>): Promise<void> {
    const { page } = person as Administrator;
    const asked = new Promise<string>((resolve) =>
      page.once('dialog', (dialog) => {
        resolve(dialog.message());
        void (yes ? dialog.accept() : dialog.dismiss());
      }),
    );
    await act();
    expect(await asked).toBe('You are signed in as ada. Sign in as zoe instead, with the token of this address?');
  }

  const session = (text: RegExp | string) =>
    (person as Administrator).page.locator('.session', { hasText: text }).waitFor();

  it('signs nobody in by a token that the service refuses, says when it expired, and removes one that it begins to refuse', async () => {
    const { page, complaints } = await signIn('a.b.c');
    await session(NOT_ACCEPTED);
    const giveAnother = (token: string) => page.evaluate(`location.hash = 'token=${token}'`);
    await giveAnother(service.tokenOf('ada', { expiresIn: -60 }));
    await session(/^Your token expired at .+\. Please sign in again\.$/);
    // Its expiry is beyond the range of dates.
    await giveAnother(service.tokenOf('ada', { expiresIn: 1e13 }));
    await session('Signed in as ada.');
    expect(page.url()).toBe(`${service.url}/api/docs`);
    expect(complaints).toEqual([UNAUTHORIZED, UNAUTHORIZED]);

    await answering(false, () => giveAnother(`${service.tokenOf('zoe')}`));
    await session('Signed in as ada.');
    await answering(true, () => giveAnother(`Bearer%20${service.tokenOf('zoe')}`));
    await session('Signed in as zoe until');
    const opened = await (person as Administrator).open('assignStatuses');
    await page.locator('.opblock textarea').fill('{"userIds":["zoe"],"status":"inactive"}');
    const suspension = page.waitForRequest(/status-assign/);
    expect((await opened.execute()).status).toBe('200');
    expect((await suspension).headers().prefer).toBe('handling=strict');
    const status = await (person as Administrator).open('manageStatus').then((operation) => operation.execute());
    expect(status.status).toMatch(/^401/);
    await session(NOT_ACCEPTED);
    expect(complaints).toEqual([UNAUTHORIZED, UNAUTHORIZED, UNAUTHORIZED, UNAUTHORIZED]);
    await page.reload();
    await session('You are not signed in.');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Access token').fill(` Bearer ${service.tokenOf('ada')}\n`);
    await page.keyboard.press('Enter');
    await session('Signed in as ada until');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await session('You are not signed in.');
  });

  it('asks before the address of a new page replaces the token that the browser has kept', async () => {
    const { page } = await signIn(service.tokenOf('ada'));
    await session('Signed in as ada until');
    await page.goto('about:blank');
    await answering(false, () => page.goto(`${service.url}/docs#token=${service.tokenOf('zoe')}`));
    await session('Signed in as ada until');
    expect(page.url()).toBe(`${service.url}/api/docs`);
  });

  it.each(['/api/docs', '/admin'])('keeps the token in the tab alone, and %s signs out of both pages', async (path) => {
    const token = service.tokenOf('ada');
    const { page } = await signIn(token);
    const another = await page.context().newPage();
    await another.goto(`${service.url}/admin#token=${token}`);
    const signOut = (tab: typeof page) => tab.getByRole('button', { name: 'Sign out' });
    const kept = (tab: typeof page) => tab.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    await page.reload();
    await another.locator('.session summary').click();
    for (const tab of [page, another]) {
      await signOut(tab).waitFor();
      expect(await kept(tab)).toBe(JSON.stringify([{}, { token }]));
    }
    await signOut(path === '/admin' ? another : page).click();
    for (const tab of [page, another]) {
      await signOut(tab).waitFor({ state: 'detached' });
      expect(await kept(tab)).toBe('[{},{}]');
    }
  });

  it('keeps the session when only the token of a status change is refused, or the service cannot be reached', async () => {
    const { page } = await signIn(service.tokenOf('ada'), '/index.html');
    await session('Signed in as ada until');
    // Each address of the page leads to the document.
    expect(await page.locator('.info a').first().getAttribute('href')).toBe('/api/docs-json');
    const change = await (person as Administrator).open('manageStatus');
    await page.locator('.opblock textarea').fill('{"id":"dee","token":"a.b.c"}');
    await change.choose('prefer', 'Ignore unknown fields');
    const sent = page.waitForRequest(/manage-status$/);
    const asked = page.waitForResponse(/\/api\/me$/);
    expect((await change.execute()).status).toMatch(/^401/);
    expect((await asked).status()).toBe(200);
    expect((await sent).headers()).not.toHaveProperty('prefer');
    await session('Signed in as ada until');
    await (person as Administrator).open('listUsers');
    await page.context().setOffline(true);
    await page.locator('[id$="-listUsers"] .execute').click();
    await page.locator('.live-responses-table', { hasText: 'The service did not answer.' }).waitFor();
    await session('Signed in as ada until');
  });
});
