import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian's packages `chromium-headless-shell` and `chromium` put it. The shell has no windows, and takes a third less CPU time. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The program of the browser, if there is one. */
export const CHROMIUM = PLACES.find((place) => existsSync(place));

const REASON = `needs a browser: install Debian's chromium-headless-shell or chromium (neither ${PLACES.join(' nor ')} is there)`;

/** A suite that runs in a browser, and is skipped with a message if there is none. */
export function describeInBrowser(title: string, suite: () => void): void {
  if (CHROMIUM !== undefined) {
    describe(title, suite);
    return;
  }
  process.stderr.write(`Skipped "${title}": ${REASON}.\n`);
  describe.skip(`${title} (skipped: ${REASON})`, suite);
}

/** A browser for all tests of a suite, which they reach by new contexts. */
export function useBrowser(): Pick<Browser, 'newContext'> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());
  return { newContext: (options) => (browser as Browser).newContext(options) };
}
