import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of this release. `package.json` is in the folder above `dist` and `src`. */
export function releaseVersion(): string {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
  return version;
}
