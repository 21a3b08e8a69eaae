import { makeMonths, NotPrunableError, pruneJournal } from '../../src/journal/journal-months';
import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { JournalReader } from '../../src/journal/journal-reader';
import { Sealer } from '../../src/journal/sealer';
import { DeleteUserService } from '../../src/users/delete-user.service';
import { verifyJournal } from '../../src/journal/verify-journal';
import { DeliveryWorker } from '../../src/plugins/webhooks/delivery-worker';
import { owedMonths } from '../../src/plugins/webhooks/owed-deliveries';
import { ask } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { startTestService, type TestService } from '../support/test-service';
import { promote } from './promote';

const NOW = new Date();
/** The first of a month, so many after this one. */
const first = (months: number) => new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() + months));
const nameOf = (months: number) => first(months).toISOString().slice(0, 7);
const partition = (months: number) => `journal_changes_${nameOf(months).replace('-', '_')}`;

let service: TestService;

beforeEach(async () => {
  service = await startTestService();
  // Here the test seals, and says in which month.
  await service.app.get(Sealer).beforeApplicationShutdown();
  await service.app.get(DeliveryWorker).stop();
  await service.directory.user('ada', { type: 'administrator' });
});
afterEach(() => service.close());

/** Seals what is in the inbox in a month, so many after this one, and as old as that. */
async function sealIn(months: number): Promise<void> {
  await service.dataSource.query('UPDATE journal_inbox SET at = LEAST(at, $1)', [first(months)]);
  const number = (first(months).getUTCFullYear() - 2020) * 12 + first(months).getUTCMonth();
  await service.dataSource.query('SELECT seal_journal(false, $1)', [number]);
}

/** A change of one user in each of these months. */
async function live(...months: number[]): Promise<void> {
  for (const month of months) {
    await promote(service.dataSource, [`user-${nameOf(month)}`, `another-${nameOf(month)}`]);
    await sealIn(month);
  }
}

const prune = (before: Date) => pruneJournal(service.dataSource, before, [owedMonths]);

async function get(path: string): Promise<{ status: number; body: JournalPageDto }> {
  const { status, text } = await ask(`${service.url}/api${path}`, {
    headers: { authorization: `Bearer ${service.tokenOf('ada')}` },
  });
  return { status, body: JSON.parse(text) as JournalPageDto };
}

const usersOf = ({ entries }: JournalPageDto) => entries.map(({ user }) => user);

describe('a month of the journal', () => {
  const rowsOf = (table: string) => service.dataSource.query<object[]>(`SELECT FROM ${table}`);

  it('has a partition for 36 months to come, and what came before it was made moves there', async () => {
    await live(-1, 0);
    const before = await get('/journal');
    await makeMonths(service.dataSource);
    await makeMonths(service.dataSource);
    expect(await rowsOf('journal_changes_default')).toEqual([]);
    for (const month of [-1, 0]) expect(await rowsOf(partition(month))).toHaveLength(1);
    expect(await rowsOf(partition(36))).toEqual([]);
    expect(await get('/journal')).toEqual(before);
    await live(1);
    expect(await rowsOf(partition(1))).toHaveLength(1);
    expect(await verifyJournal(service.dataSource)).toMatchObject({ entries: 6, broken: undefined });
    expect((await ask(`${service.url}/metrics`)).text).toMatch(/^journal_months_ahead 36$/m);
    for (const statement of ['DELETE FROM', 'TRUNCATE']) {
      await expect(service.dataSource.query(`${statement} ${partition(0)}`)).rejects.toThrow('append-only');
    }
  });

  it('has a metric that tells how long sealing stands still', async () => {
    const age = async () =>
      Number(/^journal_unsealed_age_seconds (\S+)$/m.exec((await ask(`${service.url}/metrics`)).text)?.[1]);
    await live(0);
    expect(await age()).toBe(0);
    await promote(service.dataSource, ['ben']);
    await service.dataSource.query(`UPDATE journal_inbox SET at = at - interval '20 seconds'`);
    expect(Math.floor((await age()) / 10)).toBe(2);
    await sealIn(0);
    expect(await age()).toBe(0);
  });

  it('can be removed once it has ended: the rest can be verified, read and followed', async () => {
    await live(-3, -2, -1, 0);
    const cursors: (string | null)[] = [];
    for (let next: string | null = 'start'; cursors.length < 5;) {
      ({ next } = (await get(`/journal?after=${next}&limit=2`)).body);
      cursors.push(next);
    }
    expect(await prune(first(-1))).toEqual([nameOf(-3), nameOf(-2)]);
    expect(await prune(first(-1))).toEqual([]);

    expect(await verifyJournal(service.dataSource)).toMatchObject({
      entries: 4,
      changes: 2,
      seals: 4,
      broken: undefined,
    });
    const kept = [-1, 0].flatMap((month) => [`user-${nameOf(month)}`, `another-${nameOf(month)}`]);
    expect(usersOf((await get('/journal')).body)).toEqual(kept.toReversed());
    expect(usersOf((await get('/journal?after=start')).body)).toEqual(kept);
    // After the last entry that was removed, nothing is missing.
    const told = await Promise.all(cursors.map((after) => get(`/journal?after=${after}`)));
    expect(told.map(({ status, body }) => (status === 200 ? usersOf(body).length : status))).toEqual([410, 4, 2, 0, 0]);
    expect(told[0]?.body).toEqual({ status: 410, message: 'The journal no longer reaches back to this cursor.' });

    await live(0);
    expect(await prune(first(0))).toEqual([nameOf(-1)]);
    expect(await verifyJournal(service.dataSource)).toMatchObject({ entries: 4, broken: undefined });
  });

  it('is kept if it has not ended on the given day', async () => {
    await live(-1, 0);
    await expect(prune(first(1))).rejects.toThrow(NotPrunableError);
    await expect(prune(new Date(first(0).getTime() + 1))).rejects.toThrow(NotPrunableError);
    expect(await prune(new Date(first(0).getTime() - 1))).toEqual([]);
    expect(await verifyJournal(service.dataSource)).toMatchObject({ entries: 4, broken: undefined });
  });

  it('is kept while an enabled webhook is owed its events, and its deliveries go with it', async () => {
    const { dataSource } = service;
    await dataSource.query(`
      WITH webhook AS (INSERT INTO webhook_subscriptions (id, url, events, secret) VALUES ('w', 'https://example.com', '{user.type.changed}', ''))
      INSERT INTO webhook_positions VALUES ('w', 0)`);
    await live(-1, 0);
    await expect(prune(first(0))).rejects.toThrow('The webhook w is still owed events of these months.');
    await dataSource.query(`SELECT expand_deliveries('w')`);
    await expect(prune(first(0))).rejects.toThrow(NotPrunableError);
    await dataSource.query(
      `UPDATE webhook_deliveries SET state = 'delivered', finished_at = now() WHERE subject LIKE '%${nameOf(-1)}'`,
    );
    expect(await prune(first(0))).toEqual([nameOf(-1)]);
    expect(await rowsOf('webhook_deliveries')).toHaveLength(2);
  });

  it('is kept while its newest entry is not older than the day, and so is what follows it', async () => {
    await live(-3, -2, -1);
    // No month was made for a year, or a clock was wrong: this month's entries are in an earlier one.
    await promote(service.dataSource, ['late']);
    await service.dataSource.query('SELECT seal_journal(false, $1)', [0]);
    expect(await prune(first(0))).toEqual([nameOf(-3), nameOf(-2)]);
    expect(usersOf((await get('/journal')).body)[0]).toBe('late');
  });

  it('is removed in a transaction that ends if its process stops for five seconds', async () => {
    await live(-1, 0);
    const idle: unknown[] = [];
    await pruneJournal(service.dataSource, first(0), [
      {
        ...owedMonths,
        release: async (manager) =>
          void idle.push(...(await manager.query('SHOW idle_in_transaction_session_timeout'))),
      },
    ]);
    expect(idle).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
  });

  it('can be removed while somebody verifies the journal, or follows it from there', async () => {
    await live(-1, 0);
    const { dataSource } = service;
    const verdict = await verifyJournal({
      query: async <Rows>(statement: string, values?: unknown[]) => {
        const rows = await dataSource.query<Rows>(statement, values);
        // It has read how much there is.
        if (statement.includes('FROM journal_head AS head')) await prune(first(0));
        return rows;
      },
    });
    expect(verdict).toMatchObject({ entries: 2, changes: 1, broken: undefined });
    // A follower whose cursor was judged before it was removed.
    const following = service.app.get(JournalReader).page({}, { after: 0, until: Number.MAX_SAFE_INTEGER }, 10, true);
    await expect(following).rejects.toMatchObject({ code: 'journal.pruned' });
  });

  it('takes with it why a permission is held, and nothing else is named instead', async () => {
    const { dataSource, directory } = service;
    await directory.permission('read', 'member');
    await directory.permission('edit', 'member');
    await directory.user('ben');
    const grant = (permission: string) =>
      dataSource.transaction(async (manager) => {
        await manager.query(
          `INSERT INTO user_permissions SELECT u.key, p.key FROM users AS u, permissions AS p WHERE u.id = 'ben' AND p.id = $1`,
          [permission],
        );
        await manager.query(
          `SELECT journal_append_changes('user', 'zoe', NULL, 'Because', NULL, NULL, ARRAY[
             ROW('user.permissions.changed', '{ben}', NULL, '{}', '{}')::journal_new_change])`,
        );
      });
    await grant('read');
    await sealIn(-1);
    await grant('edit');
    await sealIn(0);
    const why = async () => {
      const { body } = await get('/users/ben/permissions');
      const { permissions } = body as unknown as {
        permissions: { id: string; sources: { reason: string | null }[] }[];
      };
      return permissions.map(({ id, sources }) => [id, sources.map(({ reason }) => reason)]);
    };
    expect(await why()).toEqual([
      ['edit', ['Because']],
      ['read', ['Because']],
    ]);
    await prune(first(0));
    expect(await why()).toEqual([
      ['edit', ['Because']],
      ['read', [null]],
    ]);
  });
});

it('a request of which only the end is left can be erased and verified', async () => {
  const { dataSource, app, directory } = service;
  await directory.user('user-10500');
  // Of its 11,000 changes, a batch takes 10,000.
  await dataSource.query(`
    SELECT journal_append_changes('system', 'test', NULL, 'A private matter', NULL, NULL, array_agg(
      ROW('user.updated', ARRAY['user-' || n], NULL, NULL, '{"email": "ben@example.com"}')::journal_new_change ORDER BY n))
    FROM generate_series(1, 11000) AS n`);
  await dataSource.query(
    `SELECT journal_append_changes('system', 'test', NULL, NULL, NULL, NULL, '{"(user.deleted,{user-10500},,,)"}')`,
  );
  await dataSource.query(`DELETE FROM users WHERE id = 'user-10500'`);
  await sealIn(-1);
  await sealIn(0);
  await prune(first(0));
  await app.get(DeleteUserService).execute('user-10500', { actor: { kind: 'system', id: 'test' } }, { erase: true });
  expect((await get('/journal')).body.entries.map(({ reason, after }) => [reason, after])).not.toContainEqual([
    'A private matter',
    expect.anything(),
  ]);
  expect(await verifyJournal(dataSource)).toMatchObject({ entries: 1_002, broken: undefined });
});

describeOnServer('a month of the journal, while somebody reads it,', () => {
  it('is kept: the removal gives up after five seconds', async () => {
    await live(-1, 0);
    const reader = service.dataSource.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT FROM journal_changes');
    let isPruning = true;
    const pruning = expect(prune(first(0)).finally(() => (isPruning = false))).rejects.toMatchObject({ code: '55P03' });
    // Sealing and other readers get their turn between the attempts.
    let turns = 0;
    for (; isPruning; turns++) {
      await live(0);
      await get('/journal?limit=1');
    }
    expect(turns).toBeGreaterThan(8);
    await pruning;
    await reader.commitTransaction();
    await reader.release();
    expect(await prune(first(0))).toEqual([nameOf(-1)]);
  });

  it('is removed once a reader who waits for nothing else has ended, also with the others of a year', async () => {
    const { dataSource } = service;
    for (let month = -12; month <= 0; month++) {
      await dataSource.query(
        `SELECT journal_append_changes('system', 'test', NULL, 'Because', NULL, NULL, '{"(user.erased,\\"{ben,cyd}\\",,,)"}')`,
      );
      await sealIn(month);
    }
    await dataSource.query('SELECT journal_make_months(0)');
    const reader = dataSource.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT FROM journal_changes');
    const pruning = prune(first(0));
    await eventually(async () =>
      expect(await dataSource.query('SELECT FROM pg_locks WHERE NOT granted')).not.toEqual([]),
    );
    // In the order in which every reader locks them.
    await reader.query('SELECT FROM journal_personal');
    await reader.commitTransaction();
    await reader.release();
    expect(await pruning).toHaveLength(12);
  });
});
