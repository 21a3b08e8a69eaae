import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { DEMO_WEBHOOK } from '../../src/plugins/webhooks/demo-webhook';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';
import { Calls } from './calls';
import { until } from './until';

/** An address of each kind of page. */
const ADDRESSES = [
  '#/people',
  '#/people/ben',
  '#/workspaces',
  '#/workspaces/atlas',
  '#/groups/atlas-managers',
  '#/permissions',
  '#/permissions/content.read',
  '#/history',
  '#/connections',
  '#/webhooks',
  `#/webhooks/${DEMO_WEBHOOK}`,
];
/** With one that asks nothing of the service. */
const ALL = [...ADDRESSES, '#/import'];
/** What the browser says about answers of failure and aborted requests. */
const EXPECTED = /^Failed to load resource/;
const API = (address: URL) => address.pathname.startsWith('/api/');

/** Texts on the page with words in Latin letters that are no name, no code and not of the messages. */
const foreignWords = (known: string[]) => `(() => {
  const known = new Set(${JSON.stringify(known)});
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: element, data } = walker.currentNode;
    if (element.closest('bdi, code, pre, [lang], script')) continue;
    const foreign = (data.replace(/\\u2068[^\\u2069]*\\u2069/g, '').match(/[A-Za-z]{3,}/g) ?? []).filter((word) => !known.has(word));
    if (foreign.length > 0) found.push(data);
  }
  return found;
})()`;

describeInBrowser('the page for administrators serves everyone', () => {
  let service: TestService;
  let browser: Browser;
  let person: Administrator;

  beforeAll(async () => {
    service = await startDemoService();
    const calls = new Calls(service);
    await calls.done('POST', '/api/scim-connections', {
      name: 'Okta',
      workspace: 'atlas',
      mayGrantAdministrator: true,
    });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(async () => {
    const unexpected = person.complaints.filter((complaint) => !EXPECTED.test(complaint));
    await person.close();
    expect(unexpected).toEqual([]);
  });

  /** Goes to an address without waiting. */
  const goTo = (address: string) => person.page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  /** Waits until everything is there that was under way. */
  const isThere = () => until(person.page, `document.querySelector('main h1') && !document.querySelector('.skeleton')`);
  async function visit(address: string): Promise<void> {
    await goTo(address);
    await person.page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    await isThere();
  }

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
  ] as const)('without a barrier and without scrolling sideways, %s, %d px wide', async (colorScheme, width) => {
    person = await Administrator.at(browser, service, { colorScheme, viewport: { width, height: 800 } });
    const barriers: Record<string, unknown> = {};
    for (const address of ALL) {
      await visit(address);
      const isTooWide = await person.page.evaluate('document.documentElement.scrollWidth > innerWidth');
      barriers[address] = [isTooWide, ...(await person.barriers())];
    }
    expect(barriers).toEqual(Object.fromEntries(ALL.map((address) => [address, [false]])));
  });

  it('in Arabic, from right to left and wholly', async () => {
    person = await Administrator.at(browser, service, { locale: 'ar', viewport: { width: 360, height: 800 } });
    const messages = readFileSync(join(__dirname, '../../console/messages/ar.json'), 'utf8');
    const texts = Object.values(JSON.parse(messages) as Record<string, string>).join(' ');
    const known = texts.match(/[A-Za-z]{3,}/g) ?? [];
    const found: Record<string, unknown> = {};
    for (const address of ALL) {
      await visit(address);
      const isTooWide = await person.page.evaluate('document.documentElement.scrollWidth > innerWidth');
      found[address] = [isTooWide, ...((await person.page.evaluate(foreignWords(known))) as string[])];
    }
    expect(await person.page.evaluate('document.documentElement.dir')).toBe('rtl');
    expect(found).toEqual(Object.fromEntries(ALL.map((address) => [address, [false]])));
  });

  it('with a service that is slow, and says so', async () => {
    person = await Administrator.at(browser, service, { address: '#/nowhere' });
    for (const address of ADDRESSES) {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await person.page.route(API, async (route) => {
        await released;
        await route.continue().catch(() => undefined);
      });
      await goTo(address);
      await person.sees('The service is slow to answer. Please wait …');
      release();
      await person.page.unroute(API);
      await isThere();
      await goTo('#/nowhere');
      await person.sees('There is no such page.');
    }
  });

  it.each([
    [429, 'Too many requests. Please try again in 77 seconds.'],
    [503, 'The service does not answer. Please try again in a moment.'],
  ])('with a service that answers %d, and goes on at the next try', async (status, sentence) => {
    person = await Administrator.at(browser, service, { address: '#/nowhere' });
    for (const address of ADDRESSES) {
      await person.page.route(API, (route) =>
        route.fulfill({
          status,
          headers: { 'retry-after': '77', 'content-type': 'application/problem+json' },
          body: JSON.stringify({
            status,
            code: status === 429 ? 'request.too_many' : 'service.unavailable',
            detail: 'x',
          }),
        }),
      );
      await goTo(address);
      await person.sees(sentence);
      await person.page.unroute(API);
      for (const retry of await person.page.getByRole('button', { name: 'Try again' }).all())
        await retry.click().catch(() => undefined);
      await person.page.getByRole('alert').waitFor({ state: 'detached' });
      await isThere();
      await goTo('#/nowhere');
      await person.sees('There is no such page.');
    }
  });

  it('with a service that accepts and never answers: says so within fifteen seconds, and goes on', async () => {
    const sockets = new Set<Socket>();
    let hangs = false;
    const proxy = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      if (hangs) return;
      const upstream = connect(Number(new URL(service.url).port), '127.0.0.1');
      sockets.add(upstream.on('error', () => undefined));
      socket.pipe(upstream).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    try {
      const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      person = await Administrator.at(browser, { ...service, url });
      // The request for news would be answered after 20 seconds.
      await person.follows;
      hangs = true;
      for (const socket of sockets) socket.unpipe();
      const since = performance.now();
      await person.sees('The service does not answer. What you see may be old');
      // Twelve seconds by the page's timers; a busy machine draws later.
      expect(performance.now() - since).toBeLessThan(20_000);
      hangs = false;
      for (const socket of sockets) socket.destroy();
      await person.page.getByText('What you see may be old').waitFor({ state: 'detached' });
    } finally {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    }
  });

  it('with a service that cannot be reached', async () => {
    person = await Administrator.at(browser, service, { address: '#/nowhere' });
    await person.page.route(API, (route) => route.abort());
    await goTo('#/workspaces');
    await person.sees('The service does not answer. Please try again in a moment.');
    await person.page.unroute(API);
    await person.click('button', 'Try again');
    await person.sees('Borealis');
  });
});
