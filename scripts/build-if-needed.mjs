// Builds unless the build is newer than everything it is made of: a second start is quick, and a machine that was given
// only the build and the production packages needs no compiler. Then it runs the program that the first argument names,
// in this process, because starting another one would take longer than the check.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

// As `src/supported-node.ts`, which an older Node.js could not compile.
if (!process.features.require_module) {
  process.stderr.write(
    `The User Administration Service needs Node.js 20 (from 20.19 on), 22 (from 22.13 on), or 24.11 or later. This is Node.js ${process.versions.node}.\n`,
  );
  process.exit(1);
}

if (existsSync('package-lock.json') && !existsSync('node_modules')) {
  process.stderr.write('The packages are not installed. Install them first: npm ci\n');
  process.exit(1);
}

const BUILT = 'dist/main.js';
/** What the steps of a build make. The last one makes the last of them. */
const MADE = [
  BUILT,
  'client/dist/index.js',
  'dist/database/prepared',
  'dist/console/page.js',
  'packages/access-tokens/dist/index.js',
  'packages/http/dist/index.js',
  'packages/mcp/dist/command-line.js',
  'packages/pglite-server/dist/index.js',
  'packages/postgres/dist/index.js',
  'packages/scim-protocol/dist/index.js',
  'packages/testing/build/main.js',
];
const FOLDERS = [
  'src',
  'client/src',
  'console/src',
  'console/messages',
  'packages/access-tokens/src',
  'packages/http/src',
  'packages/mcp/src',
  'packages/pglite-server/src',
  'packages/postgres/src',
  'packages/scim-protocol/src',
  'packages/testing/src',
];
const SOURCES = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'console/build.mjs',
  'packages/mcp/scripts/bundle.mjs',
];
/** Remembered before the build, which can take longer than npm lives. */
const SHELL = process.ppid;
const ASK_AGAIN_MS = 250;

function newest(folder) {
  return Math.max(
    statSync(folder).mtimeMs,
    ...readdirSync(folder, { withFileTypes: true, recursive: true }).map(
      (entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs,
    ),
  );
}

function isFresh() {
  if (!MADE.every((path) => existsSync(path))) return false;
  const built = statSync(BUILT).mtimeMs;
  return FOLDERS.every((folder) => newest(folder) < built) && SOURCES.every((file) => statSync(file).mtimeMs < built);
}

function build() {
  process.stderr.write('Building…\n');
  const began = new Date();
  const { status } = spawnSync('npm run --silent build', { stdio: ['ignore', 2, 2], shell: true });
  if (status !== 0) process.exit(status ?? 1);
  // A source may have changed during the build.
  utimesSync(BUILT, began, began);
}

/**
 * A process manager that stops npm stops npm's shell, which ends without telling the program that it runs. Without this, the
 * service would go on, and keep its port and its embedded database.
 */
function stopWithNpm() {
  const watching = setInterval(() => {
    if (process.ppid === SHELL) return;
    clearInterval(watching);
    process.kill(process.pid, 'SIGTERM');
  }, ASK_AGAIN_MS).unref();
}

if (existsSync('src') && !isFresh()) build();
if (process.env.npm_lifecycle_event !== undefined) stopWithNpm();
const [, , program] = process.argv;
if (program !== undefined) {
  // The program sees its own arguments.
  process.argv.splice(1, 2, resolve(program));
  createRequire(import.meta.url)(resolve(program));
}
