// Builds the packages and the service. Each is made in a fresh folder and takes the place of the earlier build when it
// is complete: a program that runs from a build never meets half of one, and nothing of an earlier build stays.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { bundleConsole } from '../console/build.mjs';
import { bundleAgentsServer } from '../packages/mcp/scripts/bundle.mjs';

/** Below the project, so that what is in it finds the installed packages. */
mkdirSync('.build', { recursive: true });
const stage = mkdtempSync('.build/');

function node(...args) {
  execFileSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}

function compile(settings, folder) {
  node('node_modules/typescript-7/bin/tsc', '-p', settings, '--outDir', folder);
}

/** An installation can be older than a package of the checkout: `npm ci` makes the same link. */
function linkPackages() {
  const { bundleDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const name of bundleDependencies) {
    const link = join('node_modules', name);
    if (!existsSync(link)) symlinkSync(join('../../packages', name.split('/')[1]), link, 'dir');
  }
}

function replace(target, made) {
  const earlier = mkdtempSync(join(stage, 'earlier-'));
  if (existsSync(target)) renameSync(target, join(earlier, 'build'));
  renameSync(made, target);
}

/** The kit stands on the build of the service, as its sources stand on the sources. */
function standOnBuild(kit) {
  for (const name of readdirSync(kit)) {
    const path = join(kit, name);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('../../../src/', '../../../dist/'));
  }
}

try {
  linkPackages();
  const agents = join(stage, 'packages/mcp/dist');
  const [client, service, tokens, http, server, postgres, scim, kit] = [
    'client',
    'src',
    'packages/access-tokens/src',
    'packages/http/src',
    'packages/pglite-server/src',
    'packages/postgres/src',
    'packages/scim-protocol/src',
    'packages/testing/src',
  ].map((name) => join(stage, name));
  compile('client/tsconfig.build.json', client);
  replace('client/dist', client);
  compile('tsconfig.build.json', stage);
  replace('packages/access-tokens/dist', tokens);
  replace('packages/http/dist', http);
  replace('packages/pglite-server/dist', server);
  replace('packages/postgres/dist', postgres);
  replace('packages/scim-protocol/dist', scim);
  await bundleAgentsServer(agents);
  replace('packages/mcp/dist', agents);
  cpSync('src', service, { recursive: true, filter: (path) => !path.endsWith('.ts') });
  await bundleConsole(join(service, 'console'));
  node(join(service, 'cli/prepare-database.js'));
  standOnBuild(kit);
  replace('dist', service);
  replace('packages/testing/build', kit);
} catch (error) {
  // The compiler has said what is wrong.
  process.exitCode = error.status ?? 1;
  if (error.status === undefined) throw error;
} finally {
  rmSync(stage, { recursive: true, force: true });
}
