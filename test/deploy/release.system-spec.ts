import { type ChildProcessByStdio, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { signAccessToken } from '@user-administration/access-tokens/keys';
import { deadLinks } from '../architecture/links.rules';
import { ask, ASSIGNED, STATUS_UPDATED } from '../support/ask';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { Load, USERS } from '../support/load';
import { PrivatePostgres } from '../support/private-postgres';
import { ServiceProcess } from '../support/service-process';
import { Images } from './image';

const ROOT = join(__dirname, '../..');
const ARCHIVE = 'user-administration-1.0.0.tar.gz';
/** The archive of the last release. Before the first one, this release takes its own place. */
const LAST = join(__dirname, 'last-release.tar.gz');
const PACKAGE = 'user-administration-service-1.0.0.tgz';
const MEGABYTE = 1_000_000;
const UNPACKED_MB = 65;
const PACKED_MB = 20;
const JWT_SECRET = 'a secret for these tests, of more than 32 bytes';

/** In each process. */
const ANSWERS = 60;
const UNLIMITED = { FAIR_USE_PER_CALLER: '0', FAIR_USE_PER_ADDRESS: '0' };
const DIRECTORY = [
  { permission: { id: 'users.administer', grants: 'administrator' } },
  ...['atlas', 'borealis'].map((id) => ({ workspace: { id, name: id } })),
  { user: { id: 'ada', permissions: ['users.administer'] } },
  ...USERS.map((id) => ({ user: { id } })),
]
  .map((record) => JSON.stringify(record))
  .join('\n');

interface Sbom {
  components: {
    name: string;
    licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
  }[];
}
const PERMISSIVE = /^(MIT|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|Python-2\.0|BlueOak-1\.0\.0|Unlicense|WTFPL OR MIT)$/;
/** Their manifests name no licence in npm's form, and their LICENSE is that of MIT. The first one is ours. */
const MIT_IN_TEXT = [
  '@user-administration/access-tokens',
  '@user-administration/http',
  '@user-administration/pglite-server',
  '@user-administration/postgres',
  '@user-administration/scim-protocol',
  'busboy',
  'passport-strategy',
  'pause',
  'streamsearch',
];

const release = mkdtempSync(join(tmpdir(), 'release-'));
const file = (name: string) => join(release, name);
const size = (...args: string[]) => Number.parseInt(execFileSync('du', ['-sB1', ...args], { encoding: 'utf8' }));

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/package.mjs', release], { cwd: ROOT });
});
// Here, because a suite of which no test is chosen cleans nothing up.
const images = new Images();
const missing = images.whyNot();
afterAll(() => {
  images.remove();
  rmSync(release, { recursive: true });
});

/** What the page for administrators consists of, from its service. */
async function adminPage(url: string): Promise<[number, boolean]> {
  const { text } = await ask(`${url}/admin`);
  const address = new URL(/src="([^"]+)"/.exec(text)?.[1] ?? '', `${url}/admin`).href;
  const script = await ask(address);
  const [, licences = ''] = /licences of what is bundled: (\S+)/.exec(script.text) ?? [];
  const bundled = await ask(new URL(licences, address).href);
  return [script.status, bundled.status === 200 && bundled.text.includes('preact/LICENSE')];
}

describe('a release', () => {
  it('has the four packages, what runs without a registry, and what proves that they are complete', () => {
    const packages = ['client', 'mcp', 'service', 'testing'].map((name) => `user-administration-${name}-1.0.0.tgz`);
    const others = ['CHANGELOG.md', 'Containerfile', ARCHIVE, 'user-administration-1.0.0.cdx.json'];
    expect(readdirSync(release).sort()).toEqual([...packages, ...others, 'SHA256SUMS'].sort());
    const checked = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: release,
      encoding: 'utf8',
    });
    expect(checked.match(/: OK$/gm)).toHaveLength(packages.length + others.length);
  });

  it('lists every package that it contains, each with a licence that permits its use', () => {
    const { components } = JSON.parse(readFileSync(file('user-administration-1.0.0.cdx.json'), 'utf8')) as Sbom;
    const listed = components.map((component) => component.name);
    const paths = execFileSync('tar', ['-tzf', file(ARCHIVE)], { encoding: 'utf8', maxBuffer: 10 * MEGABYTE });
    const contained = [...paths.matchAll(/node_modules\/((?:@[^/\n]+\/)?[^@/\n][^/\n]*)\/package\.json$/gm)];
    expect(contained.length).toBeGreaterThan(150);
    expect(contained.map(([, name]) => name).filter((name) => !listed.includes(name as string))).toEqual([]);
    const licences = components.map(({ name, licenses = [] }) => [
      name,
      licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name).join(),
    ]);
    expect(licences.filter(([, licence]) => !PERMISSIVE.test(licence as string)).map(([name]) => name)).toEqual(
      MIT_IN_TEXT,
    );
  });

  it.each([ARCHIVE, PACKAGE])('has a README, and no page with a link that leads nowhere: %s', (packed) => {
    const unpacked = join(release, `pages-of-${packed}`);
    mkdirSync(unpacked);
    execFileSync('tar', ['-xzf', file(packed), '--no-same-owner', '--strip-components=1', '-C', unpacked]);
    const pages = readdirSync(unpacked, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.md') && !path.includes('node_modules'),
    );
    const documents = ['run', 'proxies', 'recover', 'watch', 'configuration', 'scaling', 'scim'].map(
      (name) => `docs/${name}.md`,
    );
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'SECURITY.md', ...documents]));
    // They are for those who have a clone.
    expect(pages).not.toEqual(expect.arrayContaining(['docs/tour.md']));
    const dead = [...pages.map((page) => join(unpacked, page)), file('CHANGELOG.md')].map((page) => [
      page,
      deadLinks(page),
    ]);
    expect(dead.filter(([, links]) => links?.length)).toEqual([]);
    const readme = readFileSync(join(unpacked, 'README.md'), 'utf8');
    expect(readme.match(/\]\(/g)?.length).toBeGreaterThan(10);
  });

  it.each(['client', 'testing', 'mcp'])('has no link that leads nowhere in the package %s', (name) => {
    const unpacked = join(release, `pages-of-${name}`);
    mkdirSync(unpacked);
    const packed = file(`user-administration-${name}-1.0.0.tgz`);
    execFileSync('tar', ['-xzf', packed, '--no-same-owner', '--strip-components=1', '-C', unpacked]);
    const pages = readdirSync(unpacked).filter((path) => path.endsWith('.md'));
    expect(pages).toContain('README.md');
    expect(pages.map((page) => [page, deadLinks(join(unpacked, page))]).filter(([, links]) => links?.length)).toEqual(
      [],
    );
  });

  it('takes the place of the last release under load', async () => {
    const last = join(release, 'last');
    mkdirSync(last);
    const archive = existsSync(LAST) ? LAST : file(ARCHIVE);
    execFileSync('tar', ['-xzf', archive, '--no-same-owner', '--strip-components=1', '-C', last]);
    const postgres = await PrivatePostgres.running();
    try {
      const environment = {
        DATABASE_URL: postgres.url,
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        JWT_SECRET,
        ...UNLIMITED,
      };
      const userAdmin = (root: string, ...args: string[]) =>
        promisify(execFile)(process.execPath, ['dist/cli/main.js', ...args], {
          cwd: root,
          env: { ...process.env, ...environment },
        });
      await userAdmin(last, 'migrate');
      writeFileSync(join(last, 'directory.ndjson'), DIRECTORY);
      await userAdmin(last, 'directory', 'import', 'directory.ndjson');

      const token = signAccessToken({ key: { kind: 'secret', secret: JWT_SECRET } }, { sub: 'ada', expiresIn: 600 });
      const older = await ServiceProcess.start(environment, last);
      await older.until(200, '/health/ready');
      expect(await adminPage(older.url)).toEqual([200, true]);
      const olderLoad = new Load(older.url, token);
      await olderLoad.go(ANSWERS);
      await userAdmin(ROOT, 'migrate');
      const newer = await ServiceProcess.start(environment, ROOT);
      await newer.until(200, '/health/ready');
      const newerLoad = new Load(newer.url, token);
      await Promise.all([olderLoad.go(ANSWERS), newerLoad.go(ANSWERS)]);
      const answers = [...(await olderLoad.end()), ...(await newerLoad.end())];
      expect(new Set(answers)).toEqual(new Set([`200 ${ASSIGNED}`, `200 ${STATUS_UPDATED}`]));
      expect([await older.stop(), await newer.stop()]).toEqual([0, 0]);
    } finally {
      postgres.remove();
    }
  });
});

describe('its image', () => {
  if (missing !== undefined) {
    process.stderr.write(`Skipped "its image": ${missing}.\n`);
    it.skip(missing, () => undefined);
    return;
  }

  let config: ReturnType<Images['build']>;
  let command: string[];
  let health: string[];
  beforeAll(() => {
    config = images.build(release);
    command = [...config.Entrypoint, ...config.Cmd];
    health = config.Healthcheck.Test.slice(1);
  });

  async function serve(environment: Record<string, string>): Promise<ServiceProcess> {
    return ServiceProcess.start({}, ROOT, images.program(command, { ...environment, PORT: '' }));
  }

  /** buildah itself does not pass signals on. */
  async function stop(service: ServiceProcess): Promise<unknown> {
    const [{ pid }] = service.logged('request') as [{ pid: number }];
    process.kill(pid, config.StopSignal);
    return service.end();
  }

  it('adds little to its base, and starts without a shell and without rights', () => {
    expect(config).toMatchObject({ User: '10001:10001', StopSignal: 'SIGTERM', Entrypoint: ['node'] });
    expect(config.Healthcheck.Test[0]).toBe('CMD');
    const root = images.root();
    expect(size(join(root, 'app')) / MEGABYTE).toBeLessThan(UNPACKED_MB);
    expect(statSync(file(ARCHIVE)).size / MEGABYTE).toBeLessThan(PACKED_MB);
  });

  it('serves the embedded database, and writes only to /data', async () => {
    const before = images.files();
    const service = await serve({});
    await service.until(200, '/health/ready');
    expect(await adminPage(service.url)).toEqual([200, true]);
    images.run(health, { PORT: new URL(service.url).port });
    expect(await stop(service)).toEqual([0, null]);
    expect(() => images.run(health, { PORT: new URL(service.url).port })).toThrow();
    expect(images.files().filter((line) => !before.includes(line) && !/^\.\/data[ /]/.test(line))).toEqual([]);
  });

  it('migrates and serves a PostgreSQL in production, and writes nothing', async () => {
    const postgres = await PrivatePostgres.running();
    try {
      const environment = { NODE_ENV: 'production', HOST: '127.0.0.1', DATABASE_URL: postgres.url, JWT_SECRET };
      const before = images.files();
      images.run(['node', 'dist/cli/main.js', 'migrate'], environment);
      const service = await serve(environment);
      await service.until(200, '/health/ready');
      expect((await ask(`${service.url}/api/users`)).status).toBe(401);
      expect(await stop(service)).toEqual([0, null]);
      expect(images.files()).toEqual(before);
    } finally {
      postgres.remove();
    }
  });
});

describe('the image of the emulator', () => {
  if (missing !== undefined) {
    it.skip(missing, () => undefined);
    return;
  }

  /** The first process of the image, by what it was started with. */
  function pidOf(...options: string[]): number {
    const isIt = (pid: string): boolean | undefined => {
      try {
        const [program, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return program?.endsWith('node') && options.every((option) => args.includes(option));
      } catch {
        return false; // It has ended.
      }
    };
    return Number(readdirSync('/proc').find((name) => /^\d+$/.test(name) && isIt(name)));
  }

  let emulator: ChildProcessByStdio<Writable, Readable, null> | undefined;
  afterEach(() => emulator?.stdin.end());

  it('runs as any user, writes no file, is reached from outside, and ends with SIGTERM', async () => {
    const { Entrypoint, Cmd, ExposedPorts, Healthcheck, StopSignal, User } = images.build(release, 'emulator');
    expect([Cmd, Object.keys(ExposedPorts), StopSignal, User]).toEqual([
      [],
      ['3000/tcp', '3001/tcp'],
      'SIGTERM',
      '10001:10001',
    ]);
    expect(Entrypoint.join(' ')).toMatch(/--port 3000 --control-port 3001 --control-host 0\.0\.0\.0/);
    const [port, controlPort] = [String(await freePort()), String(await freePort())];
    // The image's own ports may be in use here.
    const elsewhere = ['--port', port, '--control-port', controlPort];
    const command = [...Entrypoint, ...elsewhere, '--tokens', 'RS256', '--env', `JWT_ISSUER=http://emulator:3001`];
    const before = images.files();
    emulator = spawn(images.program(command, {}, '4711:4711'), { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(emulator, 'close');
    const [line] = (await once(createInterface(emulator.stdout), 'line')) as [string];
    const ready = JSON.parse(line) as { url: string; token: string; control: string; issuer: string };
    expect(ready).toMatchObject({
      url: `http://localhost:${port}`,
      control: `http://127.0.0.1:${controlPort}`,
      issuer: 'http://emulator:3001',
    });
    // Another address than the default one.
    for (const at of [port, controlPort]) expect((await ask(`http://127.0.0.2:${at}/nope`)).status).toBe(404);
    const check = Healthcheck.Test.slice(1).map((part) => part.replace('3001', controlPort));
    images.run(check);
    const headers = { authorization: `Bearer ${ready.token}` };
    expect((await ask(`${ready.url}/api/access`, { headers })).text).toMatch(/"end":\{"lines":\d+/);
    const directory = '{"directory":[{"user":{"id":"eva"}}]}';
    expect((await ask(`${ready.control}/reset`, { method: 'POST', body: directory })).status).toBe(204);
    process.kill(pidOf('dist/command-line.js', controlPort), StopSignal);
    // Before its input ends, which would end it as well, and for which buildah waits.
    await eventually(() => expect(pidOf('dist/command-line.js', controlPort)).toBeNaN());
    emulator.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(() => images.run(check)).toThrow();
    expect(images.files()).toEqual(before);
  });
});
