// Writes the packages of the service, the client and the test kit into a folder: npm run package -- <folder>
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder] = process.argv;
if (folder === undefined) {
  process.stderr.write('Name the folder for the packages: npm run package -- <folder>\n');
  process.exit(2);
}

function run(command, ...args) {
  return execFileSync(command, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
}

run(process.execPath, 'scripts/build-if-needed.mjs');
run(process.execPath, 'packages/testing/scripts/bundle.mjs');
mkdirSync(folder, { recursive: true });
// They have been built, so there is nothing left to prepare.
const options = ['--json', '--ignore-scripts', '--pack-destination', folder];
const packed = JSON.parse(run('npm', 'pack', ...options, '.', './client', './packages/testing'));
for (const { filename } of packed) process.stdout.write(`${join(folder, filename)}\n`);
