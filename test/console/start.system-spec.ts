import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';
import { Calls } from './calls';

const DAY_MS = 86_400_000;
const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '');

describeInBrowser('the start page', () => {
  let service: TestService;
  let browser: Browser;
  let calls: Calls;
  let person: Administrator;

  beforeAll(async () => {
    service = await startDemoService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    calls = new Calls(service);
    await calls.done('POST', '/api/users', { id: 'soon', displayName: 'Soon', activeUntil: inDays(5) });
    await calls.done('POST', '/api/users', { id: 'late', displayName: 'Late', activeUntil: inDays(20) });
    await calls.done('POST', '/api/users/workspace-assign', {
      userIds: ['cyd'],
      workspaces: ['cosmos'],
      until: inDays(3),
    });
    const suspend = (status: string) =>
      calls.done('POST', '/api/users/status-assign', { userIds: ['dee', 'ben'], status, reason: 'On leave' });
    await suspend('inactive');
    await calls.done('POST', '/api/users/status-assign', { userIds: ['ben'], status: 'active' });
    await calls.done('POST', '/api/permissions', { id: 'users.read', grants: 'guest' });
    await calls.done('POST', '/api/users', { id: 'rita', displayName: 'Rita', permissions: ['users.read'] });
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

  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const box = (title: string) =>
    person.page.locator('section', { has: person.page.getByRole('heading', { name: new RegExp(`^${title}`) }) });
  const lines = async (title: string, last: string) => {
    await box(title).locator('li', { hasText: last }).first().waitFor();
    return (await box(title).locator('li').allInnerTexts()).map((text) => plain(text).replace(/\s+/g, ' ').trim());
  };
  /** The paths that were asked, once the boxes are there. */
  const open = async (user: string) => {
    person = await Administrator.at(browser, service, { user, address: '#/nowhere' });
    const asked: string[] = [];
    person.page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      // Names, and what others change, are asked by every page.
      if (pathname.startsWith('/api/') && !searchParams.has('id') && !searchParams.has('wait')) asked.push(pathname);
    });
    await person.page.evaluate(`location.hash = '#/'`);
    await person.page.locator('section').last().locator('li').first().waitFor();
    return asked;
  };

  it('tells an administrator in five boxes what to look at, each with a link to its list', async () => {
    const asked = await open('ada');
    expect(await lines('Access that ends', 'Soon')).toEqual([
      expect.stringMatching(/^Cyd Cosmos ends /),
      expect.stringMatching(/^Soon account ends /),
    ]);
    expect(await lines('Suspended this week', 'Dee')).toEqual([
      expect.stringMatching(/^Dee On leave /),
      expect.stringMatching(/^Eve /),
    ]);
    expect(await lines('Webhooks with trouble', 'hooks.example')).toEqual([
      expect.stringMatching(/^https:\/\/hooks\.example\/users disabled/),
    ]);
    expect(await lines('Connections', 'Keycloak')).toEqual(['Keycloak not heard yet']);
    expect((await lines('What happened today', 'Rita'))[0]).toMatch(/^Ada created Rita now|^Ada created Rita \d+ min/);
    expect(await person.barriers()).toEqual([]);
    expect(asked.toSorted()).toEqual([
      '/api/access',
      '/api/journal',
      '/api/journal',
      '/api/scim-connections',
      '/api/webhooks',
    ]);
    for (const [title, list] of [
      ['Access that ends', '#/people?ends=14'],
      ['Suspended this week', '#/history?action=user.status.changed&from='],
      ['Webhooks with trouble', '#/webhooks'],
      ['Connections', '#/connections'],
      ['What happened today', '#/history?from='],
    ] as const)
      expect(await box(title).getByRole('heading').getByRole('link').getAttribute('href')).toContain(list);
    await person.click('link', 'Access that ends within 14 days');
    await person.sees(/^2 people found$/);
  });

  it('tells somebody who reads the same without webhooks and connections', async () => {
    const asked = await open('rita');
    await person.sees('You can look, not change.');
    expect(await lines('Access that ends', 'Soon')).toHaveLength(2);
    expect(await lines('Suspended this week', 'Dee')).toHaveLength(2);
    expect(await person.page.locator('section').count()).toBe(3);
    expect(await person.page.locator('main button, main summary').count()).toBe(0);
    expect(await person.barriers()).toEqual([]);
    expect(asked.toSorted()).toEqual(['/api/access', '/api/journal', '/api/journal']);
  });

  it('tells of a webhook whose last delivery failed', async () => {
    const { id } = await calls.done<{ id: string }>('POST', '/api/webhooks', {
      url: 'http://127.0.0.1:9/closed',
      events: ['user.created'],
    });
    await calls.done('POST', '/api/users', { id: 'told' });
    for (;;) {
      const { deliveries } = await calls.done<{ deliveries: { lastError: string | null }[] }>(
        'GET',
        `/api/webhooks/${id}/deliveries`,
      );
      if (deliveries[0]?.lastError) break;
    }
    await open('ada');
    expect(await lines('Webhooks with trouble', 'closed')).toContain(
      'http://127.0.0.1:9/closed The last delivery failed',
    );
  });

  it('is what one sees first, in the colours and the language that one chose', async () => {
    person = await Administrator.at(browser, service, { address: '' });
    await person.page.getByRole('heading', { name: 'Start', exact: true }).waitFor();
    const ground = () => person.page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    const menu = person.page.locator('.session summary');
    await menu.click();
    await person.page.getByLabel('Colours').selectOption('dark');
    expect(await ground()).not.toBe(light);
    expect(await person.barriers()).toEqual([]);
    await person.page.reload();
    await person.page.getByRole('heading', { name: 'Start', exact: true }).waitFor();
    expect(await ground()).not.toBe(light);
    await menu.click();
    await person.click('button', /^Keys/);
    await person.page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await person.press('Escape');
    await menu.click();
    await person.click('button', 'Sign out');
    await person.sees('You have signed out.');
    await person.sees('A token comes from');
    expect(await person.page.evaluate('document.activeElement.type')).toBe('password');
    await person.page.getByLabel('Colours').selectOption('light');
    expect(await ground()).toBe(light);
    await person.page.getByLabel('Language').selectOption('de');
    await person.sees('Sie haben sich abgemeldet');
  });
});
