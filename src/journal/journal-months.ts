import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { ExpectedError } from '../contract/expected-error';
import { MigrationDelayedError } from '../database/migration-errors';
import { prepared } from '../database/prepared-statements';
import { databaseCode, INSUFFICIENT_PRIVILEGE, LOCK_NOT_AVAILABLE } from '../database/sql-errors';
import { ReservedStatements } from '../database/statements';

/** How many months are made ahead. */
const AHEAD = 36;
/** Readers queue behind a change of the partitions that waits for them, so it gives up soon. */
const LOCK_MS = 5_000;
const NOT_THE_OWNER =
  'The months of the journal belong to another user. Nothing was changed; run this command as their owner.';

/** Makes the partitions of the coming months, and empties the default partition: see `sql/journal_make_months.sql`. */
export function makeMonths(dataSource: DataSource): Promise<void> {
  return asOwner(dataSource, (manager) => manager.query('SELECT journal_make_months($1)', [AHEAD]));
}

/** What stops a pruning: a month that has not ended, or whoever still needs its entries. */
export class NotPrunableError extends ExpectedError {}

/**
 * Removes the months of the log that end before a date, in one transaction. Their seals stay, so that the rest can be verified.
 *
 * @param release called with the position of the last entry to be removed; it throws if the entry is needed
 * @returns the names of the months, oldest first
 * @throws NotPrunableError
 */
export async function pruneJournal(
  dataSource: DataSource,
  before: Date,
  release: (manager: EntityManager, position: string) => Promise<void>,
): Promise<string[]> {
  return asOwner(dataSource, async (manager) => {
    const [{ isLater, end }] = await manager.query<[{ isLater: boolean; end: string }]>(
      `SELECT $1::timestamptz > date_trunc('month', clock_timestamp(), 'UTC') AS "isLater", journal_month($1) << 40 AS end`,
      [before],
    );
    if (isLater)
      throw new NotPrunableError(
        'Only months that have ended can be removed. Give a date that is not after the first of this month.',
      );
    // The months that nobody made are in the default partition.
    await manager.query('SELECT journal_make_months(0)');
    // Table by table, in the order in which readers lock them.
    const partitions = await manager.query<{ name: string; month: string }[]>(
      `SELECT relid::regclass AS name, replace(right(relid::regclass::text, 7), '_', '-') AS month
       FROM unnest(ARRAY['journal_changes', 'journal_subjects', 'journal_personal']) WITH ORDINALITY AS log (name, nth)
       CROSS JOIN LATERAL pg_partition_tree(log.name::regclass)
       WHERE isleaf AND right(relid::regclass::text, 7) < to_char($1::timestamptz AT TIME ZONE 'UTC', 'YYYY_MM') ORDER BY nth, month`,
      [before],
    );
    if (partitions.length === 0) return [];
    const [{ position }] = await manager.query<[{ position: string }]>(
      'SELECT max(position) AS position FROM journal_seals WHERE position < $1',
      [end],
    );
    await release(manager, position);
    await manager.query(`DROP TABLE ${partitions.map(({ name }) => name).join(', ')}`);
    await manager.query('UPDATE journal_head SET pruned = $1 WHERE pruned < $1', [position]);
    return [...new Set(partitions.map(({ month }) => month))];
  });
}

/** @throws MigrationDelayedError if a lock was not granted in time */
async function asOwner<T>(dataSource: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  try {
    return await dataSource.transaction('READ COMMITTED', async (manager) => {
      await manager.query(`SELECT set_config('lock_timeout', $1, true)`, [`${LOCK_MS}`]);
      return work(manager);
    });
  } catch (error) {
    const code = databaseCode(error);
    if (code === LOCK_NOT_AVAILABLE) throw new MigrationDelayedError(error);
    throw code === INSUFFICIENT_PRIVILEGE ? new Error(NOT_THE_OWNER, { cause: error }) : error;
  }
}

const AHEAD_NOW = prepared(
  'journal_months_ahead',
  `SELECT count(*)::integer AS ahead FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
   WHERE inhparent = 'journal_changes'::regclass
     AND relname BETWEEN to_char(clock_timestamp() AT TIME ZONE 'UTC', '"journal_changes_"YYYY_MM') AND 'journal_changes_9'`,
);

/** How many months from this one on have a partition. */
@Injectable()
export class JournalMonths {
  constructor(private readonly statements: ReservedStatements) {}

  async read(): Promise<{ ahead: number }> {
    const [months] = await this.statements.query<[{ ahead: number }]>(AHEAD_NOW);
    return months;
  }
}
