import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const MOST_BYTES = 70_000;
const BUILD = pathToFileURL(join(__dirname, '../../console/build.mjs')).href;

it('the page, its style and any language are at most 70 kB, compressed as browsers get them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  try {
    const script = `(await import(${JSON.stringify(BUILD)})).bundleConsole(${JSON.stringify(folder)})`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script]);
    const sizeOf = (name: string) => brotliCompressSync(readFileSync(join(folder, name))).length;
    const languages = readdirSync(join(folder, 'messages')).map((name) => sizeOf(`messages/${name}`));
    expect(sizeOf('page.js') + sizeOf('page.css') + Math.max(...languages)).toBeLessThanOrEqual(MOST_BYTES);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
