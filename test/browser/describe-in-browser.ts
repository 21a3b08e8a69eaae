import { existsSync } from 'node:fs';

/** Where Debian's package `chromium` puts it. */
export const CHROMIUM = '/usr/bin/chromium';

const REASON = `needs a browser: install Debian's chromium (${CHROMIUM} is not there)`;

/** A suite that runs in a browser, and is skipped with a message if there is none. */
export function describeInBrowser(title: string, suite: () => void): void {
  if (existsSync(CHROMIUM)) {
    describe(title, suite);
    return;
  }
  process.stderr.write(`Skipped "${title}": ${REASON}.\n`);
  describe.skip(`${title} (skipped: ${REASON})`, suite);
}
