import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDataSource } from '../support/whole-schema';
import type { OpenedDatabase } from '@user-administration/postgres';
import { openTestDatabase } from '../support/test-database';
import { describeOnServer } from '../support/describe-on-server';

const run = promisify(execFile);

let database: OpenedDatabase;
let dataDir: string;

beforeEach(async () => {
  database = await openTestDatabase({ empty: true });
  dataDir = await mkdtemp(join(tmpdir(), 'user-administration-'));
});
afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

function migrationRun(): Promise<{ stdout: string }> {
  return run('npm', ['run', 'migration:run'], {
    cwd: join(__dirname, '../..'),
    env: { ...process.env, DATABASE_URL: database.url, DATA_DIR: dataDir },
  });
}

const HAS_RUN = 'Migration CreateDirectory1790000000000 has been executed successfully.';
const HAD_RUN = 'No migrations are pending';

describe('npm run migration:run', () => {
  it('migrates an empty database, and does nothing a second time', async () => {
    expect((await migrationRun()).stdout).toContain(HAS_RUN);
    expect((await migrationRun()).stdout).toContain(HAD_RUN);

    const dataSource = await createDataSource(database).initialize();
    expect(await dataSource.showMigrations()).toBe(false);
    expect(await dataSource.query('SELECT count(*)::int AS users FROM users')).toEqual([{ users: 0 }]);
    await dataSource.destroy();
  });
});

describeOnServer('npm run migration:run, twice at the same time', () => {
  it('succeeds for both, and migrates once', async () => {
    const [one, other] = await Promise.all([migrationRun(), migrationRun()]);
    const migrated = one.stdout.includes(HAS_RUN) ? [one, other] : [other, one];
    expect(migrated[0]?.stdout).toContain(HAS_RUN);
    expect(migrated[1]?.stdout).toContain(HAD_RUN);
  });
});
