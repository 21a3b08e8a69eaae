// Packs both packages, and runs the sample with them in an empty folder, which knows nothing of this repository: with
// this Node and with each further version that is named. Then the test kit alone under Jest and Vitest.
// node examples/run.mjs [20.19.0] [22] [24] [26]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'onboarding-'));
const app = join(scratch, 'app');
const INSTALL = ['install', '--no-audit', '--no-fund', '--silent'];

function run(cwd, command, args, env = {}) {
  return execFileSync(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}

function pack(folder, name) {
  const output = run(folder, 'npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch]);
  const [{ filename }] = JSON.parse(output);
  renameSync(join(scratch, filename), join(app, 'packages', `${name}.tgz`));
}

/** The folder of the program of another version, which the package `node` of the registry contains. */
function nodeOf(version) {
  const prefix = join(scratch, `node-${version}`);
  run(scratch, 'npm', [...INSTALL, '--prefix', prefix, `node@${version}`]);
  return join(prefix, 'node_modules', 'node', 'bin');
}

function timed(what, work) {
  const began = performance.now();
  const output = work();
  console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return output;
}

function testSample(env) {
  const version = run(app, 'node', ['--version'], env).trim();
  process.stdout.write(timed(`the sample's suite, Node ${version}`, () => run(app, 'npm', ['test'], env)));
}

/** Two files at once, so two services at once. */
function testRunners() {
  const folder = join(app, 'runners');
  mkdirSync(folder);
  for (const name of ['one', 'other']) {
    cpSync(join(import.meta.dirname, 'runners', 'kit.test.cjs'), join(folder, `${name}.test.cjs`));
  }
  run(app, 'npm', [...INSTALL, '--no-save', 'jest@30', 'vitest@3']);
  const bin = (name) => join(app, 'node_modules', '.bin', name);
  timed('the test kit under Jest', () => run(app, bin('jest'), ['--ci', '--maxWorkers=2', 'runners']));
  timed('the test kit under Vitest', () => run(app, bin('vitest'), ['run', '--globals', '--dir', 'runners']));
}

try {
  execFileSync(process.execPath, ['scripts/build-if-needed.mjs'], { cwd: root, stdio: ['ignore', 2, 2] });
  cpSync(join(import.meta.dirname, 'onboarding-service'), app, { recursive: true });
  mkdirSync(join(app, 'packages'));
  pack(root, 'service');
  pack(join(root, 'client'), 'client');
  timed('install', () => run(app, 'npm', INSTALL));
  testSample();
  for (const version of process.argv.slice(2)) {
    testSample({ PATH: `${nodeOf(version)}${delimiter}${process.env.PATH}` });
  }
  testRunners();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
