import type { DataSource } from 'typeorm';
import { type Queryable, Statements } from '@user-administration/postgres';
import type { JournalEntryDto } from '../../src/journal/dto/journal-page.dto';
import type { JournalFilter } from '../../src/journal/journal-filter';
import { JournalReader } from '../../src/journal/journal-reader';
import { sealJournal } from '../../src/journal/seal-journal';

/** Waits for the lock of sealing, so that a gate keeps everything unsealed. */
export const SEALING = `SELECT pg_advisory_xact_lock('journal_seals'::regclass::bigint)`;

/** The database, once its journal has everything that was committed. */
export async function sealed<Database extends Queryable>(database: Database): Promise<Database> {
  await sealJournal(database);
  return database;
}

/** What a statement answers once the journal has everything that was committed. */
export async function querySealed<Rows>(
  database: Queryable,
  statement: string,
  parameters: unknown[] = [],
): Promise<Rows> {
  return (await sealed(database)).query<Rows>(statement, parameters);
}

/** The newest entries of the journal, newest first. */
export async function newestEntries(
  dataSource: DataSource,
  count: number,
  filter: JournalFilter = {},
): Promise<JournalEntryDto[]> {
  const [{ position }] = await querySealed<[{ position: string }]>(dataSource, 'SELECT position FROM journal_head');
  const span = { after: 0, until: Number(position) };
  const { entries } = await new JournalReader(new Statements(dataSource)).page(filter, span, count, false);
  return entries;
}
