// Writes the packages, checks what they declare, and uses them in empty folders that know nothing of this repository: the sample,
// apps on Nest 10, 11 and 12, and the test kit with this Node and with each further version that is named.
// node examples/run.mjs [20.19.0] [22] [24] [26]
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

// npm passes the settings of this project on to the programs that it runs. The folders below have none.
delete process.env.npm_config_engine_strict;

const root = join(import.meta.dirname, '..');
const apps = join(import.meta.dirname, 'apps');
const scratch = mkdtempSync(join(tmpdir(), 'packages-'));
const sample = join(scratch, 'sample');
const packages = join(sample, 'packages');
const packageOf = (name) => join(packages, `user-administration-${name}-1.0.0.tgz`);
const KIT = [packageOf('client'), packageOf('testing')];
const INSTALL = ['install', '--no-audit', '--no-fund', '--silent', '--prefer-offline'];
const MOST_MB = 45;
const NPMS = [10, 11];

/** What an app on each version of Nest installs of its own. The sample has nothing of it. */
const OWN = {
  10: ['@nestjs/typeorm@10', 'typeorm@0.3', 'pg@8', 'nestjs-i18n@10.6', '@nestjs/swagger@7'],
  11: ['@nestjs/typeorm@11', 'typeorm@0.3', 'pg@8', 'nestjs-i18n@10.6', '@nestjs/swagger@11'],
  12: ['@nestjs/typeorm@12', 'typeorm@1', 'pg@8', 'nestjs-i18n@10.6', '@nestjs/swagger@12'],
};
/** Two files at once, so two services at once, and the app under test in the runner's own process: on one version of Nest. */
const WITH_RUNNERS = '11';
const RUNNERS = ['jest@30', 'vitest@3'];

/** The settings that `nest new` generates for each version. Nest 12 consists of ES modules, which CommonJS can import only with `nodenext`. */
const SETTINGS = {
  10: { commonjs: { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '5.0' } },
  11: { commonjs: { module: 'nodenext' } },
  12: { commonjs: { module: 'nodenext' } },
};
const ES_MODULES = { module: 'nodenext' };

function run(cwd, command, args, env = {}) {
  return execFileSync(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}

function emptyFolder(name) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  return folder;
}

const npm = (folder, ...args) => run(folder, 'npm', [...INSTALL, ...args]);
const bin = (folder, name) => join(folder, 'node_modules', '.bin', name);

function timed(what, work) {
  const began = performance.now();
  work();
  console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

/** The variables with which each further version runs, with the npm that it is shipped with. All are one installation. */
function installNodes(versions) {
  if (versions.length === 0) return [];
  const folder = emptyFolder('nodes');
  const node = `node-${process.platform}-${process.arch}`;
  npm(
    folder,
    ...NPMS.map((major) => `npm-${major}@npm:npm@${major}`),
    ...versions.map((it) => `node-${it}@npm:${node}@${it}`),
  );
  return versions.map((version) => {
    const path = emptyFolder(`node-${version}`);
    const major = Number.parseInt(version) < 24 ? 10 : 11;
    symlinkSync(join(folder, 'node_modules', `node-${version}`, 'bin/node'), join(path, 'node'));
    symlinkSync(join(folder, 'node_modules', `npm-${major}`, 'bin/npm-cli.js'), join(path, 'npm'));
    return { version, env: { PATH: [path, process.env.PATH].join(delimiter) } };
  });
}

/** In an empty folder: without a word of warning, and without any registry. What is configured for npm here could cause one. */
function installQuietly(names, env) {
  const folder = mkdtempSync(join(scratch, 'clean-'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--offline', '--no-audit', '--no-update-notifier', '--userconfig', join(folder, 'none')];
  const args = ['install', ...options, ...names.map(packageOf)];
  const unset = Object.keys(process.env).filter((name) => /^npm_config_/i.test(name));
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...Object.fromEntries(unset.map((name) => [name, undefined])), ...env },
  });
  assert.deepEqual([status, stderr], [0, ''], `npm install ${names.join(' ')}: ${stdout}`);
  return { folder, stdout };
}

function tryKit(env = {}) {
  const { folder, stdout } = installQuietly(['client', 'testing'], env);
  assert.match(stdout, /added 2 packages/);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  const [size] = run(folder, 'du', ['-sm', 'node_modules']).split('\t');
  assert.ok(Number(size) <= MOST_MB, `The kit takes ${size} MB in ${files.length} files.`);
  cpSync(join(apps, 'smoke.mjs'), join(folder, 'smoke.mjs'));
  process.stdout.write(run(folder, 'node', ['smoke.mjs'], env));
}

/** It is one file, and needs nothing else. */
function tryAgents(env = {}) {
  const { folder, stdout } = installQuietly(['mcp'], env);
  assert.match(stdout, /added 1 package/);
  cpSync(join(apps, 'agent.mjs'), join(folder, 'agent.mjs'));
  assert.equal(run(folder, 'node', ['agent.mjs'], env).trim(), 'ok');
}

function compileConsumer(folder, kind, settings) {
  const app = join(folder, kind);
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), JSON.stringify({ type: kind === 'esm' ? 'module' : 'commonjs' }));
  cpSync(join(apps, 'consumer.ts'), join(app, 'consumer.ts'));
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    types: ['node'],
    strict: true,
    esModuleInterop: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    skipLibCheck: false,
    ...settings,
  };
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  run(app, bin(folder, 'tsc'), ['-p', '.']);
  assert.equal(run(app, 'node', ['consumer.js']).trim(), 'ok');
}

function tryNest(version) {
  const folder = emptyFolder(`nest-${version}`);
  mkdirSync(join(folder, 'i18n', 'en'), { recursive: true });
  writeFileSync(join(folder, 'i18n', 'en', 'app.json'), '{ "hello": "Hello" }');
  cpSync(join(apps, 'app.cjs'), join(folder, 'app.cjs'));
  const nest = ['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}@${version}`);
  const runners = version === WITH_RUNNERS ? RUNNERS : [];
  npm(
    folder,
    ...KIT,
    ...nest,
    'rxjs',
    'reflect-metadata',
    'typescript@5.9',
    '@types/node@20',
    ...OWN[version],
    ...runners,
  );
  assert.equal(run(folder, 'node', ['app.cjs', 'typeorm', 'i18n', 'swagger']).trim(), 'ok');
  for (const [kind, settings] of Object.entries({ ...SETTINGS[version], esm: ES_MODULES })) {
    compileConsumer(folder, kind, settings);
  }
  if (version === WITH_RUNNERS) tryRunners(folder);
}

/** A page needs nothing of Node: neither to compile, with the types of browsers alone, nor to be bundled. */
function tryPage() {
  const folder = emptyFolder('page');
  npm(folder, packageOf('client'), 'typescript@5.9');
  cpSync(join(apps, 'page.ts'), join(folder, 'page.ts'));
  const compilerOptions = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2024', 'dom'],
    types: [],
    strict: true,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true } }),
  );
  run(folder, bin(folder, 'tsc'), ['-p', '.']);
  run(folder, bin(root, 'esbuild'), [
    'page.ts',
    '--bundle',
    '--platform=browser',
    '--outfile=page.js',
    '--log-level=warning',
  ]);
}

function tryRunners(folder) {
  const tests = join(folder, 'runners');
  mkdirSync(tests);
  for (const name of ['app.cjs', 'app.test.cjs', 'kit.test.cjs', 'kit.test.mjs']) {
    cpSync(join(apps, name), join(tests, name));
  }
  const jest = (pattern, env) =>
    run(folder, bin(folder, 'jest'), ['--ci', '--maxWorkers=2', '--testMatch', pattern], env);
  jest('**/*.test.cjs');
  jest('**/*.test.mjs', { NODE_OPTIONS: '--experimental-vm-modules --no-warnings' });
  run(folder, bin(folder, 'vitest'), ['run', '--globals', '--dir', 'runners']);
}

try {
  cpSync(join(import.meta.dirname, 'onboarding-service'), sample, { recursive: true });
  timed('the packages', () => run(root, 'npm', ['run', '--silent', 'package', '--', packages]));
  timed('what the packages declare', () => {
    for (const name of ['service', 'client', 'testing', 'mcp']) {
      run(root, bin(root, 'publint'), [packageOf(name)]);
      run(root, bin(root, 'attw'), [packageOf(name), '--quiet']);
    }
  });
  timed('the kit, alone', () => tryKit());
  timed('the service, alone', () => {
    const folder = emptyFolder('service');
    npm(folder, packageOf('service'));
    run(folder, bin(folder, 'user-admin'), ['--version']);
  });
  timed('the server for agents, alone', () => tryAgents());
  timed('a page with the client', tryPage);
  timed('the sample', () => {
    npm(sample);
    run(sample, 'npm', ['test']);
  });
  for (const version of Object.keys(OWN)) timed(`an app on Nest ${version}`, () => tryNest(version));
  for (const { version, env } of installNodes(process.argv.slice(2))) {
    timed(`the kit, Node ${version}`, () => tryKit(env));
    timed(`the server for agents, Node ${version}`, () => tryAgents(env));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
