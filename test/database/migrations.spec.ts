import { type DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { createDataSource, migrate } from '../support/whole-schema';
import { isDatabaseUnavailable, MigrationDelayedError, type OpenedDatabase } from '@user-administration/postgres';
import { DIRECTORY_ENTITIES } from '../../src/directory/entities';
import { ScimConnection } from '../../src/plugins/scim/scim-connection.entity';
import { WebhookSubscription } from '../../src/plugins/webhooks/webhook-subscription.entity';
import { openTestDatabase } from '../support/test-database';
import { Gate } from '../races/gate';
import { describeOnServer } from '../support/describe-on-server';
import { StatementLog } from './statement-log';

const ENTITIES = [...DIRECTORY_ENTITIES, WebhookSubscription, ScimConnection];

let database: OpenedDatabase;
let dataSource: DataSource;

async function openEmptyDatabase(): Promise<void> {
  database = await openTestDatabase({ empty: true });
  dataSource = createDataSource(database, ENTITIES);
  StatementLog.of(dataSource);
  await dataSource.initialize();
}

async function closeDatabase(): Promise<void> {
  await dataSource.destroy();
  await database.close();
}

/** Whatever these migrations could have made: names and definitions of everything in the schema but TypeORM's own table. */
async function schema(): Promise<string[]> {
  const rows: { line: string }[] = await dataSource.query(`
    SELECT format('column %s.%s %s %s %s %s', table_name, column_name, udt_name, collation_name, is_nullable, column_default)
      AS line FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'
    UNION ALL SELECT format('constraint %s %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND conrelid IS DISTINCT FROM to_regclass('migrations')
    UNION ALL SELECT format('relation %s %s', relkind, relname) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind <> 'i' AND relname !~ '^migrations'
    UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migrations'
    UNION ALL SELECT format('type %s %s', typname, enum_range) FROM (
      SELECT typname, array_agg(enumlabel ORDER BY enumsortorder) AS enum_range
      FROM pg_type JOIN pg_enum ON enumtypid = pg_type.oid GROUP BY typname) AS enums
    UNION ALL SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    ORDER BY line`);
  return rows.map(({ line }) => line);
}

async function undoAll(): Promise<void> {
  for (let left = dataSource.migrations.length; left > 0; left--)
    await dataSource.undoLastMigration({ transaction: 'each' });
}

async function ran(): Promise<string[]> {
  const migrations = await new MigrationExecutor(dataSource).getExecutedMigrations();
  return migrations.map(({ name }) => name).toSorted();
}

const all = () => dataSource.migrations.map(({ name }) => name ?? '').toSorted();

describe('the migrations', () => {
  beforeEach(openEmptyDatabase);
  afterEach(closeDatabase);

  it('run up, down to an empty database, and up to the same schema again', async () => {
    await migrate(dataSource);
    const first = await schema();
    expect(first).toContain('type user_type {guest,member,manager,administrator}');
    expect(await ran()).toEqual(all());

    await undoAll();
    expect(await schema()).toEqual([]);
    expect(await ran()).toEqual([]);

    await migrate(dataSource);
    expect(await schema()).toEqual(first);
    expect(await ran()).toEqual(all());
  });

  it('only read if none is pending', async () => {
    await migrate(dataSource);
    const log = StatementLog.of(dataSource);
    expect(await migrate(dataSource)).toEqual({ migrations: [], functions: [], denied: [] });
    expect(log.take().filter((statement) => !/^SELECT (name|to_regclass)/.test(statement))).toEqual([]);
  });

  it('run only those that have not run', async () => {
    await migrate(dataSource);
    class CreateNotes1800000000000 implements MigrationInterface {
      up = (runner: QueryRunner) => runner.query('CREATE TABLE notes ()');
      down = (runner: QueryRunner) => runner.query('DROP TABLE notes');
    }
    dataSource.migrations.push(new CreateNotes1800000000000());
    const { migrations, functions } = await migrate(dataSource);
    expect({ migrations: migrations.map(({ name }) => name), functions }).toEqual({
      migrations: ['CreateNotes1800000000000'],
      functions: [],
    });
    expect(await schema()).toContain('relation r notes');
  });

  it('leave no lock and no setting on their connection', async () => {
    const settings = () =>
      dataSource.query(`SELECT name, setting FROM pg_settings WHERE name ~ '_timeout$' ORDER BY name`);
    const before: unknown = await settings();
    await migrate(dataSource);
    expect(await settings()).toEqual(before);
    expect(
      await dataSource.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`),
    ).toEqual([]);
  });

  it('leave nothing behind when one fails', async () => {
    await dataSource.query('CREATE TABLE administrator_guard (id text)');
    const before = await schema();
    await expect(migrate(dataSource)).rejects.toThrow('administrator_guard');
    expect(await schema()).toEqual(before);
    await dataSource.query('DROP TABLE administrator_guard');
    await migrate(dataSource);
    expect(await ran()).toEqual(all());
  });
});

describeOnServer('the migrations of processes that start together', () => {
  beforeEach(openEmptyDatabase);
  afterEach(closeDatabase);

  it('wait for each other, but not for ever, and then say why', async () => {
    const holder = dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT pg_advisory_xact_lock(7225108019)');
    const before = await schema();
    const delayed: unknown = await migrate(dataSource, 100).catch((error: unknown) => error);
    expect(delayed).toBeInstanceOf(MigrationDelayedError);
    expect(isDatabaseUnavailable(delayed)).toBe(true);
    expect(await schema()).toEqual(before);
    await holder.rollbackTransaction();
    await holder.release();
    await migrate(dataSource, 100);
    expect(await ran()).toEqual(all());
  });

  it('leave the SQL functions of a later release that was installed while they waited', async () => {
    await migrate(dataSource);
    await dataSource.query(`UPDATE sql_functions SET hash = 'earlier', release = 0`);
    const newer = await Gate.close(database.url, 'SELECT pg_advisory_xact_lock(7225108019)', []);
    const migrating = migrate(dataSource);
    await newer.waitFor(1);
    await newer.execute(
      `CREATE OR REPLACE FUNCTION require_administrator(kept bigint) RETURNS void LANGUAGE sql AS 'SELECT'`,
    );
    await newer.execute(`UPDATE sql_functions SET hash = 'later', release = 1000000`);
    await newer.commit();
    expect(await migrating).toEqual({ migrations: [], functions: [], denied: [], newerRelease: 1_000_000 });
    expect(await schema()).toContainEqual(
      expect.stringMatching(/function .*require_administrator[^]*\$function\$SELECT\$/),
    );
  });

  it('can be repeated after a deadlock with a request', async () => {
    await migrate(dataSource);
    const request = await Gate.close(database.url, 'LOCK workspaces IN ROW SHARE MODE', []);
    let asking: Promise<void> | undefined;
    const ask = async (runner: QueryRunner): Promise<void> => {
      asking = request.execute('SELECT FROM users');
      const waiting = `SELECT FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted`;
      while (((await runner.query(waiting)) as unknown[]).length === 0);
      // The request waits already, so the server finds the deadlock in the migration, and ends its statement.
      await runner.query(`SET LOCAL deadlock_timeout = '1ms'`);
    };
    class AlterTables1800000000000 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('ALTER TABLE users ADD note text');
        if (!asking) await ask(runner);
        await runner.query('ALTER TABLE workspaces ADD note text');
      }
      down = () => Promise.resolve();
    }
    dataSource.migrations.push(new AlterTables1800000000000());
    const delayed: unknown = await migrate(dataSource).catch((error: unknown) => error);
    await asking;
    await request.open();
    expect(delayed).toBeInstanceOf(MigrationDelayedError);
    expect(isDatabaseUnavailable(delayed)).toBe(true);
    expect(String(delayed)).toContain('(40P01)');
    const { migrations } = await migrate(dataSource);
    expect(migrations.map(({ name }) => name)).toEqual(['AlterTables1800000000000']);
  });

  it('do not wait if none is pending', async () => {
    await migrate(dataSource);
    const holder = dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT pg_advisory_xact_lock(7225108019)');
    await migrate(dataSource, 100);
    await holder.rollbackTransaction();
    await holder.release();
  });

  it('run only once', async () => {
    const gate = await Gate.close(database.url, 'SELECT pg_advisory_xact_lock(7225108019)', []);
    const sources = [1, 2].map(() => createDataSource(database, ENTITIES));
    const migrating = Promise.all(sources.map(async (source) => migrate(await source.initialize())));
    await gate.waitFor(2);
    await gate.open();
    const counts = (await migrating).map(({ migrations }) => migrations.length);
    expect(counts.toSorted((one, other) => one - other)).toEqual([0, all().length]);
    for (const source of sources) await source.destroy();
  });
});

/** TypeORM reads a schema by many statements at once on one connection. `pg` warns of it, and will refuse it from version 9 on. */
function askInTurn(source: DataSource): void {
  const create = source.createQueryRunner.bind(source);
  source.createQueryRunner = (mode) => {
    const runner = create(mode);
    const query = runner.query.bind(runner) as (...asked: unknown[]) => Promise<unknown>;
    let last: Promise<unknown> = Promise.resolve();
    runner.query = (...asked: unknown[]) => {
      const answer = last.then(() => query(...asked));
      last = answer.catch(() => undefined);
      return answer as Promise<never>;
    };
    return runner;
  };
}

describe('the entities', () => {
  beforeAll(async () => {
    await openEmptyDatabase();
    await migrate(dataSource);
    askInTurn(dataSource);
    // TypeORM looks up generated columns here.
    await dataSource.query(
      'CREATE TABLE typeorm_metadata (type text, database text, schema text, "table" text, name text, value text)',
    );
  });
  afterAll(closeDatabase);

  /** What TypeORM would do to the schema to make it what the entities say. They do not know the generated columns and their indexes. */
  async function drift(): Promise<string[]> {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    const queries = upQueries.map(({ query }) => query);
    return queries.filter(
      (query) =>
        !/ DROP COLUMN "(searchable|name_order)"$|^DROP INDEX .*_search"$|^DELETE FROM "typeorm_metadata"/.test(query),
    );
  }

  it('describe the schema that the migrations create', async () => {
    expect(await drift()).toEqual([]);
  });

  it.each([
    ['ALTER TABLE users ALTER display_name SET NOT NULL', 'ALTER TABLE users ALTER display_name DROP NOT NULL'],
    ['ALTER TABLE users ALTER type DROP DEFAULT', `ALTER TABLE users ALTER type SET DEFAULT 'guest'`],
    ['ALTER TABLE users ALTER id_since TYPE timestamptz(6)', 'ALTER TABLE users ALTER id_since TYPE timestamptz(3)'],
    [
      'ALTER TABLE permissions DROP CONSTRAINT permissions_id_not_empty',
      `ALTER TABLE permissions ADD CONSTRAINT permissions_id_not_empty CHECK (id <> '')`,
    ],
    [
      'ALTER TABLE groups RENAME CONSTRAINT groups_workspace_fkey TO another',
      'ALTER TABLE groups RENAME CONSTRAINT another TO groups_workspace_fkey',
    ],
    [
      'ALTER INDEX workspace_memberships_workspace RENAME TO another',
      'ALTER INDEX another RENAME TO workspace_memberships_workspace',
    ],
    [
      `ALTER TYPE user_status RENAME VALUE 'inactive' TO 'away'`,
      `ALTER TYPE user_status RENAME VALUE 'away' TO 'inactive'`,
    ],
  ])('are found to differ after %s', async (change, undo) => {
    await dataSource.query(change);
    expect(await drift()).not.toEqual([]);
    await dataSource.query(undo);
    expect(await drift()).toEqual([]);
  });
});
