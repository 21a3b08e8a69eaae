import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '../support/ask';
import { PrivatePostgres } from '../support/private-postgres';
import { ServiceProcess } from '../support/service-process';
import { Images } from './image';

const ROOT = join(__dirname, '../..');
const MEGABYTE = 1_000_000;
const UNPACKED_MB = 65;
const PACKED_MB = 20;
const JWT_SECRET = 'a secret for these tests, of more than 32 bytes';

const release = mkdtempSync(join(tmpdir(), 'release-'));
const file = (name: string) => join(release, name);
const size = (...args: string[]) => Number.parseInt(execFileSync('du', ['-sB1', ...args], { encoding: 'utf8' }));

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/package.mjs', release], { cwd: ROOT });
});
afterAll(() => rmSync(release, { recursive: true }));

describe('a release', () => {
  it('has the three packages, what runs without a registry, and what proves that they are complete', () => {
    const packages = ['client', 'service', 'testing'].map((name) => `user-administration-${name}-1.0.0.tgz`);
    const others = [
      'CHANGELOG.md',
      'Containerfile',
      'user-administration-1.0.0.tar.gz',
      'user-administration-1.0.0.cdx.json',
    ];
    expect(readdirSync(release).sort()).toEqual([...packages, ...others, 'SHA256SUMS'].sort());
    const checked = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: release,
      encoding: 'utf8',
    });
    expect(checked.match(/: OK$/gm)).toHaveLength(packages.length + others.length);
  });
});

describe('its image', () => {
  const images = new Images();
  const missing = images.whyNot();
  afterAll(() => images.remove());
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

  /** Every file and folder, when it was changed, and whose it is. What chroot itself mounts is left out. */
  function files(): string[] {
    const mounts = ['dev', 'proc', 'run', 'sys'].flatMap((name) => ['-path', `./${name}`, '-o']).slice(0, -1);
    const args = ['.', '-mindepth', '1', '(', ...mounts, ')', '-prune', '-o', '-printf', '%p %T@ %s %u %m\n'];
    const found = execFileSync('find', args, { cwd: images.root(), encoding: 'utf8', maxBuffer: 10 * MEGABYTE });
    return found.trim().split('\n').sort();
  }

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
    expect(statSync(file('user-administration-1.0.0.tar.gz')).size / MEGABYTE).toBeLessThan(PACKED_MB);
  });

  it('serves the embedded database, and writes only to /data', async () => {
    const before = files();
    const service = await serve({});
    await service.until(200, '/health/ready');
    images.run(health, { PORT: new URL(service.url).port });
    expect(await stop(service)).toEqual([0, null]);
    expect(() => images.run(health, { PORT: new URL(service.url).port })).toThrow();
    expect(files().filter((line) => !before.includes(line) && !/^\.\/data[ /]/.test(line))).toEqual([]);
  });

  it('migrates and serves a PostgreSQL in production, and writes nothing', async () => {
    const postgres = await PrivatePostgres.running();
    try {
      const environment = { NODE_ENV: 'production', HOST: '127.0.0.1', DATABASE_URL: postgres.url, JWT_SECRET };
      const before = files();
      images.run(['node', 'dist/cli/main.js', 'migrate'], environment);
      const service = await serve(environment);
      await service.until(200, '/health/ready');
      expect((await ask(`${service.url}/api/users`)).status).toBe(401);
      expect(await stop(service)).toEqual([0, null]);
      expect(files()).toEqual(before);
    } finally {
      postgres.remove();
    }
  });
});
