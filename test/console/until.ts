import type { Page } from 'playwright-core';

const PATIENCE_MS = 30_000;

/** Waits until an expression is true on the page: its policy refuses the texts that `waitForFunction` would evaluate there. */
export async function until(page: Page, expression: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await page.evaluate(expression))) {
    if (performance.now() > end) throw new Error(`This has not come true: ${expression}`);
    await page.evaluate('new Promise((done) => setTimeout(done, 50))');
  }
}
