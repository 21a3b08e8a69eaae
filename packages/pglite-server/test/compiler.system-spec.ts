import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SCRIPT = join(__dirname, 'open-once.cjs');

it('leaves the WebAssembly of the embedded database to the baseline compiler', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'compiler-'));
  try {
    // V8 names every function that it compiles, and by which compiler.
    const args = ['--trace-wasm-compilation-times', SCRIPT, folder];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: Infinity });
    expect(stdout).toContain(' using Liftoff,');
    expect(stdout).not.toContain(' using TurboFan,');
  } finally {
    await rm(folder, { recursive: true });
  }
});
