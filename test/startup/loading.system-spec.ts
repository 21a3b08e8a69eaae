import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The files that this module of the build loads. */
async function loadedBy(module: string, environment: Record<string, string> = {}): Promise<string[]> {
  const list = `require('./dist/${module}'); process.stdout.write(JSON.stringify(Object.keys(require.cache)))`;
  const options = { cwd: join(__dirname, '../..'), env: { PATH: process.env.PATH, ...environment } };
  // A program may fail after it was loaded.
  const run = promisify(execFile)(process.execPath, ['-e', list], options).catch(
    (failed: { stdout: string }) => failed,
  );
  const { stdout } = await run;
  return JSON.parse(stdout) as string[];
}

it('the command line does not load what only a command on the database needs', async () => {
  const loaded = await loadedBy('cli/program.js');
  expect(loaded.filter((path) => /commander/.test(path))).not.toEqual([]);
  expect(loaded.filter((path) => /node_modules.(@nestjs|typeorm|pg)\b/.test(path))).toEqual([]);
});

it('a process with a wrong configuration does not load the service', async () => {
  const loaded = await loadedBy('main.js', { NODE_ENV: 'wrong' });
  expect(loaded.filter((path) => /dist.load-config/.test(path))).not.toEqual([]);
  expect(loaded.filter((path) => /node_modules.(@nestjs|typeorm|pg)\b/.test(path))).toEqual([]);
});
