import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EntityManager } from 'typeorm';
import { verifyJournal } from '../../src/journal/verify-journal';
import { useMigratedDatabase } from '../support/migrated-database';
import { promote } from './promote';

const DOCUMENT = join(__dirname, '../../docs/operations.md');
const [, SKIP_LOST_IDS = ''] = /^```sql\n(SELECT setval.*?;)\n```/ms.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];

describe('a journal that was restored from a backup', () => {
  const database = useMigratedDatabase();

  beforeAll(async () => {
    await promote(database.dataSource, ['ben']);
  });

  async function ids(within: Pick<EntityManager, 'query'> = database.dataSource): Promise<string[]> {
    const rows: { id: string }[] = await within.query('SELECT id FROM journal_entries ORDER BY id');
    return rows.map(({ id }) => id);
  }

  /** Entries that a restore undoes, with the sequence of their ids. */
  async function lose(users: readonly string[]): Promise<string[]> {
    const runner = database.dataSource.createQueryRunner();
    const [backup] = (await runner.query('SELECT last_value FROM journal_changes_id_seq')) as { last_value: string }[];
    await runner.startTransaction();
    await promote(runner.manager, users);
    const lost = await ids(runner.manager);
    await runner.rollbackTransaction();
    await runner.query(`SELECT setval('journal_changes_id_seq', $1)`, [backup?.last_value]);
    await runner.release();
    return lost.slice(1);
  }

  it('gives no new entry the id of a lost one, after the statement of the manual', async () => {
    const lost = await lose(['cyd', 'dee']);
    await database.dataSource.query(SKIP_LOST_IDS);
    await promote(database.dataSource, ['eve', 'flo']);
    const kept = await ids();
    expect(lost).toHaveLength(2);
    expect(kept).toHaveLength(3);
    expect(kept.filter((id) => lost.includes(id))).toEqual([]);
    expect((await verifyJournal(database.dataSource)).broken).toBeUndefined();
  });
});
