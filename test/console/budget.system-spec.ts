import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const MOST_BYTES = 72_000;
/** Loaded when it is opened. */
const MOST_LATER_BYTES = 16_000;
const MOST_LATER_MESSAGES = 6_000;
const BUILD = pathToFileURL(join(__dirname, '../../console/build.mjs')).href;

it('the page, its style and any language are at most 72 kB, compressed as browsers get them, and what is opened later at most 16 kB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  try {
    const script = `await (await import(${JSON.stringify(BUILD)})).bundleConsole(${JSON.stringify(folder)})`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script]);
    const sizeOf = (name: string) => brotliCompressSync(readFileSync(join(folder, name))).length;
    const messages = readdirSync(join(folder, 'messages'));
    const largest = (isLater: boolean) =>
      Math.max(
        ...messages.filter((name) => name.startsWith('later-') === isLater).map((name) => sizeOf(`messages/${name}`)),
      );
    const [page = '', ...later] = readdirSync(folder)
      .filter((name) => name.endsWith('.js') && !/^swagger/.test(name))
      .sort()
      .reverse();
    expect([page, later]).toEqual(['page.js', [expect.stringMatching(/^administrators-pages-/)]]);
    expect(sizeOf('page.js') + sizeOf('page.css') + largest(false)).toBeLessThanOrEqual(MOST_BYTES);
    expect(sizeOf(later[0] ?? '')).toBeLessThanOrEqual(MOST_LATER_BYTES);
    expect(largest(true)).toBeLessThanOrEqual(MOST_LATER_MESSAGES);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
