import { source as axeSource } from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import { loadDemoDirectory } from '../../src/plugins/transfer/demo-directory';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { startTestService, type TestService } from '../support/test-service';
import { complaintsOf, SECURITY_LISTENER } from '../browser/complaints';
import { DEMOS } from '../support/demos';

const PATIENCE_MS = 20_000;

/** A service with the demo directory. */
export async function startDemoService(environment: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService({ environment });
  await loadDemoDirectory(service.dataSource, service.app.get(UserTypeService), DEMOS);
  return service;
}

/** An administrator at the page `/admin`. Counts the person's actions. */
export class Administrator {
  actions = 0;
  /** Errors on the console, of scripts, and of the Content-Security-Policy. */
  readonly complaints: string[];
  /** The page follows what others change from now on. */
  readonly follows: Promise<unknown>;

  private constructor(readonly page: Page) {
    page.setDefaultTimeout(PATIENCE_MS);
    this.complaints = complaintsOf(page);
    const isFollowing = (request: Request) => request.url().includes('wait=20');
    // Not every test waits for it, and a page that is closed never does.
    this.follows = page.waitForRequest(isFollowing, { timeout: 0 }).catch(() => undefined);
  }

  /**
   * Opens the page with a token in a browser that knows nothing yet, and goes to an address such as `#/people`.
   */
  static async at(
    browser: Browser,
    service: TestService,
    {
      address = '#/people',
      user = 'ada',
      ...options
    }: { address?: string; user?: string } & BrowserContextOptions = {},
  ): Promise<Administrator> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en', ...options });
    await context.addInitScript(SECURITY_LISTENER);
    const person = new Administrator(await context.newPage());
    await person.page.goto(`${service.url}/admin#token=${service.tokenOf(user, { expiresIn: 3_600 })}`);
    await person.page.locator('nav').waitFor();
    if (address) await person.page.evaluate(`location.hash = ${JSON.stringify(address)}`);
    return person;
  }

  /** Clicks on a button, a link or another thing by its role and name. */
  async click(
    role: Parameters<Page['getByRole']>[0],
    name: string | RegExp,
    within: Page | Locator = this.page,
  ): Promise<void> {
    this.actions++;
    await within
      .getByRole(role, { name, exact: typeof name === 'string' })
      .first()
      .click();
  }

  /** Types into the field with this label. */
  async type(label: string | RegExp, text: string, within: Page | Locator = this.page): Promise<void> {
    this.actions++;
    await within.getByLabel(label).first().fill(text);
  }

  /** Opens what else can be done with a person. */
  async openMore(): Promise<void> {
    this.actions++;
    await this.page.getByText('More', { exact: true }).click();
  }

  /** Begins to take the person of this page out of a workspace or one of its groups, by the menu of its row. */
  async takeOut(workspace: string, place = workspace): Promise<void> {
    this.actions++;
    const row = this.page.locator('.memberships tr').filter({ hasText: workspace });
    await row.locator('.acts summary').click();
    await this.click('button', new RegExp(`^Take out of .?${place}`), row);
  }

  async press(key: string): Promise<void> {
    this.actions++;
    await this.page.keyboard.press(key);
  }

  /** Waits until this stands on the page. */
  async sees(text: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    // A text in its case: what is called Cosmos has the id cosmos, which is shown until the name has arrived.
    const shown = typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text;
    await within.getByText(shown).first().waitFor();
  }

  /** Everything that keeps people from using the page, by axe-core. */
  async barriers(): Promise<string[]> {
    await this.page.evaluate(axeSource);
    return this.page.evaluate(async () => {
      interface Violation {
        id: string;
        nodes: { html: string }[];
      }
      const { axe } = globalThis as unknown as {
        axe: { run(options: object): Promise<{ violations: Violation[] }> };
      };
      const { violations } = await axe.run({ resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
    });
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}
