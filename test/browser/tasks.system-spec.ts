import { greeting } from '../../src/greeting';
import { useDemoService } from '../support/demo-service';
import { declaredEvents } from '../../src/contract/plugin-actions';
import { Administrator, type Operation, type Scheme } from './administrator';
import { describeInBrowser, useBrowser } from './describe-in-browser';

const MOST_ACTIONS = 4;
const WIDTHS = [1280, 390];
/** The focused element if it has no outline, or begins behind the session bar. */
const HIDDEN_FOCUS = `(() => {
  const { activeElement: element } = document;
  const bar = document.querySelector('.scheme-container');
  const isBehind = !bar.contains(element) && element.getBoundingClientRect().top < bar.getBoundingClientRect().bottom
    && bar.getBoundingClientRect().top <= 0;
  return isBehind || getComputedStyle(element).outlineStyle === 'none' ? element.outerHTML.slice(0, 100) : null;
})()`;
/** Whether the buttons on an answer cover its last lines, even after scrolling to its end. */
const COVERED_LINES = `(() => {
  const answer = document.querySelector('.live-responses-table .highlight-code');
  answer.querySelector('pre').scrollTop = 1e6;
  const { bottom } = answer.querySelector('code').getBoundingClientRect();
  return bottom > answer.querySelector('.download-contents').getBoundingClientRect().top;
})()`;
/** What an administrator does with one operation, from opening it to what the page shows. Tasks for new routes are one entry each. */
const TASKS: {
  task: string;
  operation: string;
  /** The setting of the system: light, if it is absent. */
  scheme?: Scheme;
  prepare?: (operation: Operation) => Promise<void>;
  status?: string;
  shows: RegExp;
}[] = [
  {
    task: 'finds a user by part of an email address',
    operation: 'listUsers',
    prepare: (operation) => operation.type('search', 'dee@'),
    shows: /"id": "dee"/,
  },
  {
    task: 'previews an assignment',
    operation: 'assignWorkspaces',
    prepare: (operation) => operation.select('dryRun', 'true'),
    shows: /this was a dry run\.[^]*"id": "dee"[^]*"after": "manager"/,
  },
  {
    task: 'assigns users to workspaces and groups, and reads the message in another language, on a dark page',
    operation: 'assignWorkspaces',
    scheme: 'dark',
    prepare: (operation) => operation.choose('accept-language', 'German'),
    shows: /Die Benutzer wurden [^"]*"\s*\}/,
  },
  // So that the tasks can be done again.
  {
    task: 'undoes it, and sees what that changed',
    operation: 'unassignWorkspaces',
    prepare: (operation) => operation.choose('prefer', 'Return the changes'),
    shows: /Users successfully unassigned from workspaces\.[^]*"before": "manager"/,
  },
  {
    task: 'suspends three users, with a reason',
    operation: 'assignStatuses',
    shows: /User statuses successfully updated\."\s*\}/,
  },
  {
    task: 'deactivates a user',
    operation: 'manageStatus',
    shows: /User status updated successfully/,
  },
  {
    task: 'looks at what happened',
    operation: 'readJournal',
    shows: /"action": "user\./,
  },
  {
    task: 'registers a webhook',
    operation: 'createWebhook',
    status: '201',
    shows: /"secret": "whsec_/,
  },
];

describeInBrowser('an administrator at the page of Swagger UI', () => {
  const service = useDemoService();
  const browser = useBrowser();
  let address: string;

  beforeAll(async () => {
    address = /^Swagger UI: (\S+)/.exec(await greeting(service.app, service.config, ['ada']))?.[1] ?? '';
  });

  /** The page of the last task, which the next one takes over: loading it takes most of the time of a task. */
  let shared: Administrator | undefined;

  /** A page on which nobody has opened this operation, so that its form is as it comes. */
  async function pageFor(operation: string | undefined, scheme: Scheme = 'light'): Promise<Administrator> {
    if (operation && shared?.hasOpened(operation)) await leave();
    shared ??= await Administrator.at(browser, address, scheme);
    await shared.prefer(scheme);
    shared.countAnew();
    return shared;
  }

  async function leave(): Promise<void> {
    const left = shared;
    shared = undefined;
    await left?.close();
  }

  async function using(
    operation: string | undefined,
    task: (person: Administrator) => Promise<void>,
    scheme?: Scheme,
  ): Promise<void> {
    const person = await pageFor(operation, scheme);
    try {
      await task(person);
      expect(person.complaints).toEqual([]);
    } catch (error) {
      // The next task gets a page without the remains of this one.
      await leave();
      throw error;
    }
  }

  it('is signed in by the address that the service prints, which does not keep the token', () =>
    using(undefined, async ({ page }) => {
      expect(address).toContain('#token=');
      await page.getByText(/^Signed in as ada until/).waitFor();
      expect(page.url()).toBe(`${service.url}/api/docs`);
      expect(await page.locator('.info a[href$="/api/docs-json"]').count()).toBe(1);
    }));

  it('is told beside Execute whether it would change anything, and is shown no token', () =>
    using('assignWorkspaces', async (person) => {
      const { page } = person;
      const effect = page.locator('[id$="-assignWorkspaces"] .effect');
      const operation = await person.open('assignWorkspaces');
      expect(await effect.innerText()).toBe('Changes data');
      await operation.select('dryRun', 'true');
      await effect.filter({ hasText: 'Preview only' }).waitFor();
      const sent = page.waitForRequest(/workspace-assign/);
      expect((await operation.execute()).status).toMatch(/^200/);
      expect((await sent).headers().authorization).toMatch(/^Bearer eyJ/);
      const change = await person.open('manageStatus');
      await change.execute();
      for (const id of ['assignWorkspaces', 'manageStatus']) {
        const curl = await page.locator(`[id$="-${id}"] .curl`).innerText();
        expect(curl).toContain('Bearer ***');
        expect(curl).not.toMatch(/eyJ/);
      }
      await person.open('getCaller');
      expect(await page.locator('[id$="-getCaller"] .effect').count()).toBe(0);
    }));

  it('sees the headers that concern the answer, the request in TypeScript, and events that look like no operation', () =>
    using('getUser', async (person) => {
      const { page } = person;
      await (await person.open('getUser')).execute();
      const block = page.locator('[id$="-getUser"]');
      const headers = await block.locator('.live-responses-table .headerline').allInnerTexts();
      expect(headers.map((line) => line.trim().replace(/:.*/, ''))).toEqual(
        expect.arrayContaining(['x-request-id', 'etag', 'content-type']),
      );
      expect(headers.slice(0, 2).join()).toMatch(/^ ?x-request-id.*, ?etag/);
      expect(headers.join()).not.toMatch(/security|cross-origin|x-frame|cache-control/);
      await block.getByRole('button', { name: 'TypeScript' }).click();
      const snippet = await block.locator('.request-snippets .curl').innerText();
      expect(snippet).toMatch(/^const response = await fetch\("http[^]*method: "GET",[^]*Bearer \*\*\*/);
      expect(await page.locator('.events dt').count()).toBe(declaredEvents().length);
      expect(await page.locator('.webhooks .opblock').count()).toBe(0);
    }));

  it.each(WIDTHS.flatMap((width) => TASKS.map((task) => ({ ...task, width }))))(
    '$task, on a screen $width pixels wide',
    ({ operation, prepare, scheme, width, status = '200', shows }) =>
      using(
        operation,
        async (person) => {
          await person.page.setViewportSize({ width, height: 900 });
          const opened = await person.open(operation);
          await prepare?.(opened);
          const answer = await opened.execute();
          expect(answer).toEqual({ status: expect.stringMatching(`^${status}`), body: expect.stringMatching(shows) });
          expect(person.actions).toBeLessThanOrEqual(MOST_ACTIONS);
        },
        scheme,
      ),
  );

  describe('who has opened several operations', () => {
    let person: Administrator;

    beforeAll(async () => {
      person = await pageFor('listUsers', 'dark');
      const listed = await person.open('listUsers');
      await listed.execute();
      for (const operation of ['assignWorkspaces', 'getUser', 'readJournal']) {
        if (!person.hasOpened(operation)) await person.open(operation);
      }
    });
    afterEach(() => expect(person.complaints).toEqual([]));
    afterAll(leave);

    it('can use a phone', async () => {
      const { page } = person;
      const [phone, desktop] = [{ width: 390, height: 844 }, page.viewportSize()!];
      const width = () => page.evaluate('document.documentElement.scrollWidth');
      await page.setViewportSize(phone);
      expect(await width()).toBe(phone.width);
      await person.open('replayWebhookDelivery');
      expect(await width()).toBe(phone.width);
      expect(await page.evaluate(COVERED_LINES)).toBe(false);
      await page.setViewportSize(desktop);
    });

    it('sees the page in the width of a phone, and finds a group of operations by its name', async () => {
      const phone = await Administrator.at(browser, address, 'light', { width: 390, height: 844, isMobile: true });
      try {
        expect(await phone.page.evaluate('innerWidth')).toBe(390);
        await phone.page.getByPlaceholder('Filter by tag').fill('journal');
        await phone.page.locator('[id$="-listUsers"]').waitFor({ state: 'detached' });
        expect(await phone.page.locator('[id$="-readJournal"]').count()).toBe(1);
        expect(phone.complaints).toEqual([]);
      } finally {
        await phone.close();
      }
    });

    // The page follows the setting of the system.
    describe.each(['dark', 'light'] as const)('on the %s page', (scheme) => {
      beforeAll(() => person.prefer(scheme));

      it('sees the place of the keyboard', async () => {
        const { page } = person;
        await page.locator('[id$="-assignWorkspaces"] .execute').focus();
        const hidden: unknown[] = [];
        for (let step = 0; step < 20; step++) {
          await page.keyboard.press('Shift+Tab');
          hidden.push(await page.evaluate(HIDDEN_FOCUS));
        }
        expect(hidden.filter((element) => element !== null)).toEqual([]);
      });

      it('finds no serious barrier', async () => {
        const { page } = person;
        const examples = page.getByRole('tab', { name: 'Schema', selected: false });
        for (const schema of (await examples.all()).reverse()) await schema.click();
        expect(await page.locator('.folded', { hasText: '`' }).count()).toBe(0);
        const folded = await page.locator('.folded').count();
        await page.locator('.folded').first().click();
        expect(await page.locator('.folded').count()).toBe(folded - 1);
        await page.mouse.move(0, 0);
        expect(await person.barriers()).toEqual([]);
      });
    });
  });
});
