import { existsSync } from 'node:fs';

/** Linux has a file to which nothing can be written. */
export const FULL = '/dev/full';

/** A suite that writes to {@link FULL}. Elsewhere it is skipped, and says so. */
export function describeWithFullDisk(title: string, suite: () => void): void {
  if (existsSync(FULL)) {
    describe(title, suite);
    return;
  }
  process.stderr.write(`Skipped "${title}": there is no ${FULL}.\n`);
  describe.skip(`${title} (skipped: there is no ${FULL})`, suite);
}
