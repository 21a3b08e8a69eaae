import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { eventually } from '../support/eventually';

const SCRIPT = resolve(__dirname, '../../scripts/build-if-needed.mjs');
/** The parts of a checkout that the script looks at, from the oldest to the newest. */
const SOURCES = [
  'src/main.ts',
  'client/src/index.ts',
  'console/src/main.tsx',
  'console/messages/en.json',
  'packages/access-tokens/src/index.ts',
  'packages/http/src/index.ts',
  'packages/mcp/src/command-line.ts',
  'packages/pglite-server/src/index.ts',
  'packages/postgres/src/index.ts',
  'packages/scim-protocol/src/index.ts',
  'packages/testing/src/main.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'console/build.mjs',
  'packages/mcp/scripts/bundle.mjs',
];
const BUILT = [
  'dist/main.js',
  'dist/console/page.js',
  'dist/database/prepared',
  'client/dist/index.js',
  'packages/access-tokens/dist/index.js',
  'packages/mcp/dist/command-line.js',
  'packages/pglite-server/dist/index.js',
  'packages/http/dist/index.js',
  'packages/postgres/dist/index.js',
  'packages/scim-protocol/dist/index.js',
  'packages/testing/build/main.js',
];
/** Ends a hanging test before Jest does, so that nothing is left running. */
const PATIENCE_MS = 90_000;
const PROGRAM = `console.log(JSON.stringify(process.argv.slice(1))); process.exitCode = 7;`;

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'build-if-needed-'));
  const files = new Map([...SOURCES, 'package.json', ...BUILT].map((path) => [path, '']));
  files.set('package.json', JSON.stringify({ scripts: { build: 'node build.cjs' } }));
  files.set('dist/main.js', PROGRAM);
  let age = files.size;
  for (const [path, content] of files) {
    mkdirSync(join(checkout, dirname(path)), { recursive: true });
    writeFileSync(join(checkout, path), content);
    made(path, age--);
  }
  for (const source of SOURCES.filter((path) => /\/(src|messages)\/|^src\//.test(path)))
    made(dirname(source), files.size);
  buildThat('');
});
afterEach(() => rmSync(checkout, { recursive: true }));

function made(path: string, secondsAgo: number): void {
  const time = Date.now() / 1000 - secondsAgo;
  utimesSync(join(checkout, path), time, time);
}

function buildThat(ends: string): void {
  writeFileSync(join(checkout, 'build.cjs'), `console.log('built'); ${ends}`);
}

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    cwd: checkout,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  return { status, stdout, stderr };
}

const ran = () => `${JSON.stringify([join(checkout, 'dist/main.js'), '--port', '0'])}\n`;

describe('build-if-needed.mjs', () => {
  it('runs the program of a fresh build, with its own arguments and its own exit code', () => {
    expect(run('dist/main.js', '--port', '0')).toEqual({ status: 7, stdout: ran(), stderr: '' });
  });

  it.each([...SOURCES, 'package.json'])('builds first when %s is newer, and not a second time', (path) => {
    made(path, 0);
    expect(run('dist/main.js', '--port', '0')).toEqual({ status: 7, stdout: ran(), stderr: 'Building…\nbuilt\n' });
    expect(run('dist/main.js', '--port', '0')).toEqual({ status: 7, stdout: ran(), stderr: '' });
  });

  it('does not run the program of a build that failed', () => {
    made('src/main.ts', 0);
    buildThat('process.exitCode = 3;');
    expect(run('dist/main.js')).toEqual({ status: 3, stdout: '', stderr: 'Building…\nbuilt\n' });
  });

  it('works without sources, as in an installed package', () => {
    rmSync(join(checkout, 'src'), { recursive: true });
    expect(run('dist/main.js', '--port', '0')).toEqual({ status: 7, stdout: ran(), stderr: '' });
  });

  it('only builds if no program is named', () => {
    made('src/main.ts', 0);
    expect(run()).toEqual({ status: 0, stdout: '', stderr: 'Building…\nbuilt\n' });
  });

  it("stops the program when npm is stopped, although npm's shell passes no signal on", async () => {
    writeFileSync(
      join(checkout, 'package.json'),
      JSON.stringify({ scripts: { start: `"${process.execPath}" "${SCRIPT}" dist/main.js` } }),
    );
    made('package.json', BUILT.length + 1);
    writeFileSync(
      join(checkout, 'dist/main.js'),
      `process.on('SIGTERM', () => process.exit()).on('exit', () => console.log('stopped'));
       setInterval(() => undefined, 1_000_000);
       console.log('runs');`,
    );
    const npm = spawn('npm', ['start', '--silent'], {
      cwd: checkout,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH },
    });
    let said = '';
    npm.stdout.setEncoding('utf8').on('data', (text) => (said += text));
    try {
      await eventually(async () => expect(said).toBe('runs\n'));
      npm.kill('SIGTERM');
      // The program has this pipe until it ends.
      await once(npm.stdout, 'close', { signal: AbortSignal.timeout(PATIENCE_MS) });
      expect(said).toBe('runs\nstopped\n');
    } finally {
      if (!said.endsWith('stopped\n')) process.kill(-(npm.pid as number), 'SIGKILL');
    }
  });
});
