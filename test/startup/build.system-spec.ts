import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROJECT = join(__dirname, '../..');

const LATER = 'administrators-pages-HASH.js';
const LATER_NAME = /^administrators-pages-[0-9A-Z]{8}\.js$/;

/** What a browser runs is bundled from `console`. */
it('dist/console contains the page, and the messages of each language', () => {
  const files = readdirSync(join(PROJECT, 'dist/console'), { recursive: true, encoding: 'utf8' });
  const messages = readdirSync(join(PROJECT, 'console/messages')).flatMap((name) => [
    `messages/${name}`,
    `messages/later-${name}`,
  ]);
  const withoutHash = files.map((name) => (LATER_NAME.test(name) ? LATER : name));
  expect(withoutHash.sort()).toEqual(
    [LATER, 'messages', ...messages, 'licences.txt', 'page.css', 'page.js', 'swagger-sign-in.js'].sort(),
  );
});

/** The service creates every SQL function that it finds, so one that the sources have given up must not stay. */
it.each([
  ['dist', 'src', 100],
  ['packages/testing/build', 'packages/testing/src', 10],
])('%s contains only the output of sources that exist', (built, sources, atLeast) => {
  const files = readdirSync(join(PROJECT, built), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(?!console\/).*\.(js|json|sql)$/.test(path),
  );
  expect(files.length).toBeGreaterThan(atLeast);
  const hasSource = (path: string) =>
    [path, path.replace(/\.js$/, '.ts')].some((it) => existsSync(join(PROJECT, sources, it)));
  expect(files.filter((path) => !hasSource(path))).toEqual([]);
});

describe('a build', () => {
  let checkout: string;

  /** A checkout whose compiler says when it works, and waits until it may go on. */
  beforeEach(() => {
    checkout = mkdtempSync(join(tmpdir(), 'build-'));
    const write = (path: string, text: string) => {
      mkdirSync(join(checkout, path, '..'), { recursive: true });
      writeFileSync(join(checkout, path), text);
    };
    cpSync(join(PROJECT, 'scripts/build.mjs'), join(checkout, 'scripts/build.mjs'));
    write('src/users/sql/a.sql', 'new');
    write('console/messages/en.json', 'new');
    write('console/build.mjs', BUNDLER);
    write('packages/mcp/scripts/bundle.mjs', AGENTS_BUNDLER);
    for (const built of [
      'dist',
      'client/dist',
      'packages/access-tokens/dist',
      'packages/mcp/dist',
      'packages/pglite-server/dist',
      'packages/http/dist',
      'packages/postgres/dist',
      'packages/scim-protocol/dist',
      'packages/testing/build',
    ])
      write(`${built}/old.js`, 'old');
    write('package.json', JSON.stringify({ bundleDependencies: ['@user-administration/http'] }));
    write('node_modules/@user-administration/of-others', '');
    write('node_modules/typescript-7/bin/tsc', COMPILER);
  });
  afterEach(() => rmSync(checkout, { recursive: true }));

  const BUNDLER = `
    import { cpSync } from 'node:fs';
    export const bundleConsole = (folder) => cpSync('console/messages', folder + '/messages', { recursive: true });`;

  const AGENTS_BUNDLER = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    export function bundleAgentsServer(folder) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(folder + '/index.js', 'new');
    }`;

  const COMPILER = `
    const { mkdirSync, writeFileSync, existsSync } = require('node:fs');
    const [, , , settings, , folder] = process.argv;
    const write = (path, text) => {
      mkdirSync(folder + '/' + path.replace(/[^/]*$/, ''), { recursive: true });
      writeFileSync(folder + '/' + path, text);
    };
    if (settings.startsWith('client')) write('index.js', 'new');
    else {
      write('src/main.js', 'new');
      write('src/cli/prepare-database.js', '');
      write('packages/access-tokens/src/index.js', 'new');
      write('packages/http/src/index.js', 'new');
      write('packages/pglite-server/src/index.js', 'new');
      write('packages/postgres/src/index.js', 'new');
      write('packages/scim-protocol/src/index.js', 'new');
      write('packages/testing/src/main.js', 'require("../../../src/app")');
      console.log('compiles');
      while (!existsSync('go-on')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      process.exitCode = Number(require('node:fs').readFileSync('go-on', 'utf8'));
    }`;

  async function build(exitCode: number, meanwhile: () => void): Promise<number | null> {
    const child = spawn(process.execPath, ['scripts/build.mjs'], {
      cwd: checkout,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit') as Promise<[number | null]>;
    await once(child.stdout, 'data');
    meanwhile();
    // The compiler must not find it before it has its content.
    writeFileSync(join(checkout, 'go-on.new'), String(exitCode));
    renameSync(join(checkout, 'go-on.new'), join(checkout, 'go-on'));
    return (await ended)[0];
  }
  const filesOf = (folder: string) =>
    readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.\w+$/.test(path))
      .sort();
  const OLD = { dist: ['old.js'], kit: ['old.js'] };
  const now = () => ({ dist: filesOf('dist'), kit: filesOf('packages/testing/build') });

  it('leaves the earlier one as it is until it is complete, and then takes its place', async () => {
    expect(await build(0, () => expect(now()).toEqual(OLD))).toBe(0);
    expect(now()).toEqual({
      dist: ['cli/prepare-database.js', 'console/messages/en.json', 'main.js', 'users/sql/a.sql'],
      kit: ['main.js'],
    });
    expect(filesOf('client/dist')).toEqual(['index.js']);
    for (const name of ['access-tokens', 'http', 'mcp', 'pglite-server', 'postgres', 'scim-protocol'])
      expect(filesOf(`packages/${name}/dist`)).toEqual(['index.js']);
    expect(readFileSync(join(checkout, 'packages/testing/build/main.js'), 'utf8')).toBe('require("../../../dist/app")');
    expect(readlinkSync(join(checkout, 'node_modules/@user-administration/http'))).toBe('../../packages/http');
    expect(readdirSync(join(checkout, '.build'))).toEqual([]);
  });

  it('that fails leaves the earlier one as it is', async () => {
    expect(await build(2, () => undefined)).toBe(2);
    expect(now()).toEqual(OLD);
    expect(readdirSync(join(checkout, '.build'))).toEqual([]);
  });
});
