import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyJournal } from '../../src/journal/verify-journal';
import { useMigratedDatabase } from '../support/migrated-database';
import { querySealed } from '../support/sealed';
import { promote } from './promote';

const DOCUMENT = join(__dirname, '../../docs/recover.md');
const [, SKIP_LOST_IDS = ''] = /^```sql\n(BEGIN;.*?COMMIT;)\n```/ms.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];

const database = useMigratedDatabase();

it('a restored journal gives no new entry the id of a lost one, after the statement of the manual', async () => {
  await promote(database.dataSource, ['ann']);
  await querySealed(database.dataSource, SKIP_LOST_IDS);
  await promote(database.dataSource, ['ben']);
  const rows: { id: string }[] = await querySealed(database.dataSource, 'SELECT id FROM journal_entries ORDER BY id');
  expect(Number(rows[1]?.id) - Number(rows[0]?.id)).toBe(1_000_000_001);
  expect(await verifyJournal(database.dataSource)).toMatchObject({ entries: 2, seals: 3, broken: undefined });
});
