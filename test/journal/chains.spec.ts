import { Client } from 'pg';
import { verifyJournal } from '../../src/journal/verify-journal';
import { describeOnServer } from '../support/describe-on-server';
import { Gate } from '../races/gate';
import { type MigratedDatabase, openMigratedDatabase } from '../support/migrated-database';

const CHAINS = 64;
const APPEND = `SELECT journal_append_changes('user', 'ada', NULL, NULL, NULL, NULL, ARRAY[
  ROW('user.type.changed', '{ben}', '{}', NULL, '{"type":"member"}')::journal_new_change])`;

describeOnServer('writers of the journal', () => {
  let database: MigratedDatabase;

  beforeEach(async () => {
    database = await openMigratedDatabase();
  });
  afterEach(() => database.close());

  async function openWriter(): Promise<Client> {
    const writer = new Client({ connectionString: database.url });
    await writer.connect();
    await writer.query('BEGIN');
    return writer;
  }

  /** One more than the chains are, so two have the same chain for their own. Takes out one that is not among these. */
  async function takeLast(writers: Client[]): Promise<Client> {
    const seen = new Map<number, Client>();
    for (const writer of writers) {
      const { rows } = await writer.query<{ own: number }>(`SELECT pg_backend_pid() % ${CHAINS} AS own`);
      const rival = seen.get(rows[0]?.own as number);
      const index = writers.findIndex((other) => other !== writer && other !== rival);
      if (rival) return writers.splice(index, 1)[0] as Client;
      seen.set(rows[0]?.own as number, writer);
    }
    throw new Error('every writer has a chain of its own');
  }

  it('do not wait for each other up to the number of chains, and one more waits until another ends', async () => {
    const gate = await Gate.close(database.url, 'SELECT 1', []);
    const writers = await Promise.all(Array.from({ length: CHAINS + 1 }, openWriter));
    const last = await takeLast(writers);
    try {
      // None has committed, so each has its own chain: a writer that waited would wait without end.
      for (const writer of writers) await writer.query(APPEND);
      const waiting = last.query(APPEND);
      await gate.waitFor(1);

      await Promise.all(writers.map((writer) => writer.query('COMMIT')));
      await waiting;
      await last.query('COMMIT');
    } finally {
      await Promise.all([...writers, last].map((writer) => writer.end()));
      await gate.open();
    }
    expect(await verifyJournal(database.dataSource)).toMatchObject({
      entries: CHAINS + 1,
      changes: CHAINS + 1,
      chains: CHAINS,
      broken: undefined,
    });
  });

  it('share no chain with another, neither the first time nor after they have waited', async () => {
    const writer = await openWriter();
    const { rows } = await writer.query<{ own: number }>(`SELECT pg_backend_pid() % ${CHAINS} AS own`);
    const own = 'SELECT FROM journal_heads WHERE chain = $1';
    const gate = await Gate.close(database.url, `${own} FOR SHARE`, [rows[0]?.own]);
    try {
      await writer.query(`SET LOCAL lock_timeout = '1s'`);
      await writer.query(APPEND);
      await writer.query('COMMIT');

      await gate.execute('SELECT FROM journal_heads FOR SHARE');
      const waiting = writer.query(APPEND);
      await gate.waitFor(1);
      await gate.execute(`${own} FOR UPDATE NOWAIT`, [rows[0]?.own]);
      await gate.open();
      await waiting;
    } finally {
      await gate.open();
      await writer.end();
    }
    expect(await verifyJournal(database.dataSource)).toMatchObject({ entries: 2, chains: 2, broken: undefined });
  });

  it('leave intact chains, however they overlap, fail and roll back', async () => {
    const writers = await Promise.all(Array.from({ length: 16 }, openWriter));
    let committed = 0;
    await Promise.all(
      writers.map(async (writer, index) => {
        for (let turn = 0; turn < 40; turn++) {
          for (let times = 0; times <= turn % 3; times++) await writer.query(APPEND);
          const keep = (turn + index) % 4 > 0;
          await writer.query(keep ? 'COMMIT' : 'ROLLBACK');
          if (keep) committed += 1 + (turn % 3);
          await writer.query('BEGIN');
        }
        await writer.query(APPEND);
        await writer.end();
      }),
    );
    expect(await verifyJournal(database.dataSource)).toMatchObject({ entries: committed, broken: undefined });
  });
});
