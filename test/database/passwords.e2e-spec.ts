import { inspect } from 'node:util';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '@user-administration/pglite-server';
import { DatabaseClient, DatabaseServers } from '@user-administration/postgres';
import { startTestService, type TestService } from '../support/test-service';
import { ask } from '../support/ask';
import { eventually } from '../support/eventually';
import { SeverableDatabase } from '../support/severable-database';
import { migratedSnapshot } from '../support/snapshots';

/** The embedded database asks for a password, whatever the other tests run on. */
let database: SeverableDatabase;
let folder: string;
let file: string;
/** The password, and the URL without it. */
let password: string;
let url: string;

beforeAll(async () => {
  const snapshot = await migratedSnapshot();
  const embedded = await openEmbeddedDatabase({ inMemory: true, snapshot: snapshot && new Blob([snapshot]) });
  database = await SeverableDatabase.of({ ...embedded, poolSize: 1, embedded: true });
  const address = new URL(database.address.url);
  password = address.password;
  address.password = '';
  url = address.href;
});
afterAll(() => database.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passwords-'));
  file = join(folder, 'password');
});
afterEach(() => rmSync(folder, { recursive: true }));

const start = (environment: Record<string, string>): Promise<TestService> =>
  startTestService({ database: { url, poolSize: 1 }, environment });

const NO_PASSWORD =
  'The database cannot be used: the server asks for a password, and there is none: ' +
  'give it in DATABASE_URL, DATABASE_PASSWORD_FILE, PGPASSWORD or PGPASSFILE';

/** `pgpass` reads the environment of the process. */
async function withPassFile(path: string, act: () => Promise<unknown>): Promise<void> {
  process.env.PGPASSFILE = path;
  try {
    await act();
  } finally {
    delete process.env.PGPASSFILE;
  }
}

/** Whether a service that is told the password in this way can start. */
async function succeeds(environment: Record<string, string>): Promise<void> {
  await (await start(environment)).close();
}

describe('the password of the database', () => {
  it('can be in a file of its own', async () => {
    writeFileSync(file, `${password}\n`);
    await succeeds({ DATABASE_PASSWORD_FILE: file });
  });

  it('can be in PGPASSWORD', () => succeeds({ PGPASSWORD: password }));

  it('can be in a password file of libpq that only its owner can read', async () => {
    writeFileSync(file, `# directory\nelsewhere:*:*:*:wrong\n*:${new URL(url).port}:postgres:postgres:${password}\n`);
    chmodSync(file, 0o600);
    await withPassFile(file, () => succeeds({}));
    chmodSync(file, 0o640);
    await withPassFile(file, () => expect(start({})).rejects.toThrow(NO_PASSWORD));
  });

  it('is reported as missing at start, with the ways to give it', async () => {
    await withPassFile(join(folder, 'none'), () => expect(start({})).rejects.toThrow(NO_PASSWORD));
  });

  it('is not shown with a connection, such as that of a logged error', () => {
    const secret = 'only-here';
    const address = `postgres://postgres:${secret}@127.0.0.1:1/postgres`;
    const client = new DatabaseClient({ servers: new DatabaseServers({ url: address }), url: address, connectMs: 1 });
    expect(`${inspect(client, { depth: null })} ${inspect(client.connection)}`).not.toContain(secret);
  });

  it('comes with its URL from a file as long as that has no fault that a start would refuse', () => {
    const servers = new DatabaseServers({ url, urlFile: file });
    for (const [written, used] of [
      ['postgres://a/d?sslmode=verify-full', 'postgres://a/d?sslmode=verify-full'],
      ['postgres://a/d?sslMode=verify-full', url],
      ['a/d', url],
    ] as const) {
      writeFileSync(file, `${written}\n`);
      expect(servers.urls).toEqual([used]);
    }
  });

  it('is read again for each new connection, also in DATABASE_URL_FILE', async () => {
    const complete = new URL(url);
    complete.password = password;
    for (const [name, right, wrong] of [
      ['DATABASE_PASSWORD_FILE', password, 'wrong'],
      ['DATABASE_URL_FILE', complete.href, url.replace('postgres@', 'postgres:wrong@')],
    ] as const) {
      writeFileSync(file, right);
      const service = await start({ [name]: file, ...(name === 'DATABASE_URL_FILE' && { DATABASE_URL: '' }) });
      const ready = async () => (await ask(`${service.url}/health/ready`)).status;
      try {
        await eventually(async () => expect([await ready(), await use(service)]).toEqual([200, '200 null']));

        writeFileSync(file, wrong);
        await database.cut();
        await database.mend();
        await eventually(async () => expect([await ready(), await use(service)]).toEqual([503, '503 1']));

        writeFileSync(file, right);
        await eventually(async () => expect([await ready(), await use(service)]).toEqual([200, '200 null']));
      } finally {
        await service.close();
      }
    }
  });
});

/** A request that needs the database. */
async function use(service: TestService): Promise<string> {
  const { status, headers } = await ask(`${service.url}/api/journal`, {
    headers: { authorization: `Bearer ${service.serviceToken()}` },
  });
  return `${status} ${headers.get('retry-after')}`;
}
