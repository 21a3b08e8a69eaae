import { source as axeSource } from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { complaintsOf, SECURITY_LISTENER } from './complaints';

const PATIENCE_MS = 20_000;

const DESKTOP = { width: 1280, height: 900, isMobile: false };

/** The setting of the system. */
export type Scheme = 'light' | 'dark';

/** A person at the page of Swagger UI. Counts the person's actions. */
export class Administrator {
  actions = 0;
  private readonly opened = new Set<string>();
  /** Errors on the console, of scripts, and of the Content-Security-Policy. */
  readonly complaints: string[];

  private constructor(readonly page: Page) {
    page.setDefaultTimeout(PATIENCE_MS);
    this.complaints = complaintsOf(page);
  }

  /** Opens an address in a browser that knows nothing yet. */
  static async at(
    browser: Pick<Browser, 'newContext'>,
    address: string,
    colorScheme: Scheme = 'light',
    { isMobile = false, ...viewport } = DESKTOP,
  ): Promise<Administrator> {
    const context = await browser.newContext({ viewport, isMobile, colorScheme });
    await context.addInitScript(SECURITY_LISTENER);
    const person = new Administrator(await context.newPage());
    person.countAnew();
    await person.page.goto(address);
    await person.page.locator('.opblock').first().waitFor();
    return person;
  }

  /** Counts the actions of another task. Opening the page is the first one of each. */
  countAnew(): void {
    this.actions = 1;
  }

  hasOpened(operationId: string): boolean {
    return this.opened.has(operationId);
  }

  /** Opens an operation by clicking on it. */
  async open(operationId: string): Promise<Operation> {
    this.opened.add(operationId);
    const block = this.page.locator(`[id^="operations-"][id$="-${operationId}"]`);
    this.actions++;
    await block.locator('.opblock-summary-control').click();
    await block.locator('.execute').waitFor();
    return new Operation(this, block);
  }

  /** Sets the system to light or dark, which the page follows. */
  async prefer(scheme: Scheme): Promise<void> {
    await this.page.emulateMedia({ colorScheme: scheme });
    await this.page.locator(scheme === 'dark' ? '.dark-mode' : ':root:not(.dark-mode)').waitFor();
  }

  /** Everything that keeps people from using the page, by axe-core. */
  async barriers(): Promise<string[]> {
    await this.page.evaluate(axeSource);
    return this.page.evaluate(async () => {
      const { violations } = await (
        globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }
      ).axe.run({ resultTypes: ['violations'] });
      interface Violation {
        id: string;
        impact: string;
        nodes: { html: string }[];
      }
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
    });
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}

/** One operation on the page, open. */
export class Operation {
  constructor(
    private readonly person: Administrator,
    private readonly block: Locator,
  ) {}

  /** Types into the field of a parameter. */
  async type(parameter: string, text: string): Promise<void> {
    this.person.actions++;
    await this.block.locator(`tr[data-param-name="${parameter}"] input`).fill(text);
  }

  /** Picks one of the values that a parameter can have. */
  async select(parameter: string, value: string): Promise<void> {
    this.person.actions++;
    await this.block.locator(`tr[data-param-name="${parameter}"] select`).selectOption(value);
  }

  /** Selects an example of a parameter by its name. */
  async choose(parameter: string, label: string): Promise<void> {
    this.person.actions++;
    await this.block.locator(`tr[data-param-name="${parameter}"] .examples-select-element`).selectOption({ label });
  }

  /** Presses Execute. */
  async execute(): Promise<{ status: string; body: string }> {
    this.person.actions++;
    await this.block.locator('.execute').click();
    const answer = this.block.locator('.live-responses-table .response').first();
    const status = await answer.locator('.response-col_status').innerText();
    const body = await answer.locator('.highlight-code, .microlight').first().innerText();
    return { status: status.trim(), body };
  }
}
