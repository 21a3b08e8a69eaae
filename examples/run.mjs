// Packs both packages, and runs the sample with them in an empty folder, which knows nothing of this repository.
// node examples/run.mjs
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'onboarding-'));

function run(cwd, ...args) {
  return execFileSync('npm', args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
}

function pack(folder, name) {
  const [{ filename }] = JSON.parse(run(folder, 'pack', '--json', '--ignore-scripts', '--pack-destination', scratch));
  renameSync(join(scratch, filename), join(scratch, 'app', 'packages', `${name}.tgz`));
}

try {
  execFileSync(process.execPath, ['scripts/build-if-needed.mjs'], { cwd: root, stdio: ['ignore', 2, 2] });
  cpSync(join(import.meta.dirname, 'onboarding-service'), join(scratch, 'app'), { recursive: true });
  mkdirSync(join(scratch, 'app', 'packages'));
  pack(root, 'user-administration-service');
  pack(join(root, 'client'), 'user-administration-client');
  const began = performance.now();
  run(join(scratch, 'app'), 'install', '--no-audit', '--no-fund', '--silent');
  const installed = performance.now();
  process.stdout.write(run(join(scratch, 'app'), 'test'));
  const seconds = (from, to) => ((to - from) / 1000).toFixed(0);
  console.log(`install: ${seconds(began, installed)} s, test: ${seconds(installed, performance.now())} s`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
