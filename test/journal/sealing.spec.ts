import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { ReservedStatements, Statements } from '@user-administration/postgres';
import { JournalMonths, makeMonths } from '../../src/journal/journal-months';
import { verifyJournal } from '../../src/journal/verify-journal';
import { Gate } from '../races/gate';
import { describeOnServer } from '../support/describe-on-server';
import { openMigratedDatabase, type MigratedDatabase } from '../support/migrated-database';
import { sealed } from '../support/sealed';
import { JournalWriter } from './journal-writer';
import { promote } from './promote';

let database: MigratedDatabase;
let dataSource: DataSource;

beforeEach(async () => {
  database = await openMigratedDatabase();
  ({ dataSource } = database);
});
afterEach(() => database.close());

interface Sealed {
  head_position: string;
  more: boolean;
}

const seal = async (whole = false, month: number | null = null): Promise<Sealed> => {
  const [head]: [Sealed] = await dataSource.query('SELECT * FROM seal_journal($1, $2)', [whole, month]);
  return head;
};

/** So many changes of one transaction, of the users `name-1` and so on. */
const append = (name: string, count: number) =>
  dataSource.query(
    `SELECT journal_append_changes('system', 'mill', NULL, NULL, NULL, NULL, array_agg(
       ROW('user.created', ARRAY[$1 || '-' || n], NULL, NULL, NULL)::journal_new_change ORDER BY n)) FROM generate_series(1, $2::integer) AS n`,
    [name, count],
  );

const log = (): Promise<{ position: number; continues: boolean; user: string }[]> =>
  dataSource.query(
    'SELECT position::float8 AS position, continues, user_id AS user FROM journal_changes ORDER BY journal_changes.position',
  );

const monthOf = (position: number) => Math.floor(position / 2 ** 40);

describe('sealing', () => {
  it('gives positions that begin with the month, one after the other, and says what belongs to one transaction', async () => {
    await promote(dataSource, ['ann']);
    await append('ben', 2);
    await promote(dataSource, ['cyd', 'dee']);
    await seal();
    await promote(dataSource, ['eve']);
    await seal();
    const changes = await log();
    expect(changes.map(({ user, continues }) => [user, continues])).toEqual([
      ['ann', false],
      ['ben-1', false],
      ['ben-2', true],
      ['cyd', false],
      ['eve', false],
    ]);
    const first = changes[0]?.position ?? 0;
    expect(changes.map(({ position }) => position - first)).toEqual([0, 1, 2, 3, 5]);
    const now = new Date();
    expect(monthOf(first)).toBe((now.getUTCFullYear() - 2020) * 12 + now.getUTCMonth());
  });

  it('never gives a lower position, also if the clock falls, and begins a month anew', async () => {
    const positions: number[] = [];
    for (const month of [80, 79, 81, 3]) {
      await promote(dataSource, ['ann']);
      positions.push(Number((await seal(false, month)).head_position));
    }
    expect(positions).toEqual([80 * 2 ** 40, 80 * 2 ** 40 + 1, 81 * 2 ** 40, 81 * 2 ** 40 + 1]);
    expect(await verifyJournal(dataSource)).toMatchObject({ seals: 4, broken: undefined });
  });

  it('follows a clock that is wrong for a moment no further than to the last month that was made', async () => {
    await makeMonths(dataSource);
    const month = new Date().getUTCFullYear() * 12 + new Date().getUTCMonth() - 2020 * 12;
    const months: number[] = [];
    for (const ahead of [0, 296, 0]) {
      await dataSource.query(`
        CREATE OR REPLACE FUNCTION journal_month(at timestamptz) RETURNS bigint LANGUAGE sql AS 'SELECT ${month + ahead}::bigint'`);
      await promote(dataSource, ['ann']);
      months.push(monthOf(Number((await seal()).head_position)));
    }
    expect(months).toEqual([month, month + 36, month + 36]);
    const ahead = new JournalMonths(new Statements(dataSource) as ReservedStatements);
    expect(await ahead.read()).toEqual({ ahead: 1 });
    await makeMonths(dataSource);
    expect(await ahead.read()).toEqual({ ahead: 37 });
    expect(await dataSource.query('SELECT FROM journal_changes_default')).toEqual([]);
  });

  it('takes at most 10,000 changes at once, and what a transaction still has before others', async () => {
    await append('ann', 15_000);
    await promote(dataSource, ['ben']);
    expect(await seal()).toMatchObject({ more: true });
    await promote(dataSource, ['cyd']);
    expect(await seal()).toMatchObject({ more: false });
    const changes = await log();
    expect(changes.filter(({ continues }) => !continues).map(({ user }) => user)).toEqual(['ann-1', 'ben', 'cyd']);
    expect(changes.findIndex(({ user }) => user === 'ben')).toBe(15_000);
    const seals: unknown[] = await dataSource.query('SELECT changes FROM journal_seals ORDER BY position');
    expect(seals).toEqual([{ changes: 0 }, { changes: 10_000 }, { changes: 5_002 }]);
    expect(await dataSource.query('SELECT FROM journal_inbox')).toEqual([]);
  });

  it('writes nothing if there is nothing to seal', async () => {
    await promote(dataSource, ['ann']);
    const { head_position: position } = await seal();
    for (const whole of [true, false])
      expect(await seal(whole)).toMatchObject({ head_position: position, more: false });
    expect(await dataSource.query('SELECT FROM journal_seals')).toHaveLength(2);
  });

  it('finds everything in the inbox of a database that was restored, which has other transaction ids', async () => {
    await promote(dataSource, ['ann']);
    await seal();
    await promote(dataSource, ['ben']);
    await dataSource.transaction(async (manager) => {
      await manager.query('ALTER TABLE journal_seals DISABLE TRIGGER USER');
      await manager.query(`UPDATE journal_seals SET snapshot = '7:999999999:123456789'`);
      await manager.query('ALTER TABLE journal_seals ENABLE TRIGGER USER');
    });
    await seal();
    expect((await log()).map(({ user }) => user)).toEqual(['ann', 'ben']);
    await promote(dataSource, ['cyd']);
    await seal();
    expect((await log()).map(({ user }) => user)).toEqual(['ann', 'ben', 'cyd']);
  });
});

describeOnServer('sealing beside other transactions', () => {
  it('does not wait for one that has not committed, and takes it afterwards', async () => {
    const slow = new JournalWriter(database.url, 'slow');
    await slow.begin();
    await slow.append('begun first', 'writers', false);
    for (const user of ['ann', 'ben']) {
      await promote(dataSource, [user]);
      await seal();
    }
    await slow.commit();
    await seal();
    expect((await log()).map(({ user }) => user)).toEqual(['ann', 'ben', 'slow']);
  });

  it('reads nothing again that was sealed while somebody holds a snapshot, or writes for long', async () => {
    const [reader, writer] = [new Client(database.url), new JournalWriter(database.url, 'slow')];
    await reader.connect();
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await reader.query('SELECT FROM users');
    await writer.begin();
    await writer.append('late');
    /** The pages that sealing one change touches. */
    const cost = async (): Promise<number> => {
      await promote(dataSource, ['ann']);
      const rows: { 'QUERY PLAN': [{ Plan: Record<string, number> }] }[] = await dataSource.query(
        'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM seal_journal(false, NULL)',
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
      return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    };
    await cost();
    const first = await cost();
    for (let change = 0; change < 500; change++) await cost();
    // Indexes become a level higher. A dead version of a row for each seal would be 37 pages more.
    expect(await cost()).toBeLessThan(first + 20);
    await reader.end();
    await writer.rollback();
  });

  it('goes on elsewhere after a second if its process stops before the commit', async () => {
    await promote(dataSource, ['ann']);
    const frozen = new Client(database.url);
    const ended = new Promise<Error>((resolve) => frozen.on('error', resolve));
    await frozen.connect();
    await frozen.query('BEGIN');
    await frozen.query('SELECT seal_journal(false, NULL)');
    await promote(dataSource, ['ben']);
    await seal();
    expect(await ended).toMatchObject({ code: '25P03' });
    expect((await log()).map(({ user }) => user)).toEqual(['ann', 'ben']);
  });

  // The statement of a batch writes to all of them. The gate stops it at each.
  it.each([
    ['DELETE', 'journal_inbox'],
    ['INSERT', 'journal_changes_default'],
    ['INSERT', 'journal_subjects_default'],
    ['INSERT', 'journal_personal_default'],
    ['INSERT', 'journal_seals'],
  ])('goes on elsewhere at once after its process is killed at the %s of %s', async (event, table) => {
    await dataSource.query(`
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock_shared(1);
        RETURN COALESCE(NEW, OLD);
      END $$;
      CREATE TRIGGER a_hold BEFORE ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION hold()`);
    const writer = new JournalWriter(database.url, 'ann');
    await writer.begin();
    await writer.append('one');
    await writer.append('two');
    await writer.commit();

    const gate = await Gate.close(database.url, 'SELECT pg_advisory_xact_lock(1)', []);
    const killed = new Client(database.url);
    killed.on('error', () => undefined);
    await killed.connect();
    const { rows } = await killed.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const sealing = killed.query('SELECT seal_journal(false, NULL)');
    const failed = expect(sealing).rejects.toThrow(/terminat/);
    await gate.waitFor(1);
    // Another one waits for it.
    const next = seal();
    await gate.waitFor(2);
    await dataSource.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await failed;
    await gate.open();
    await next;

    expect((await log()).map(({ user, continues }) => [user, continues])).toEqual([
      ['ann', false],
      ['ann', true],
    ]);
    expect(await verifyJournal(await sealed(dataSource))).toMatchObject({ entries: 4, seals: 1, broken: undefined });
  });
});
