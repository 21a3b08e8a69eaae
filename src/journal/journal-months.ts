import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { ExpectedError } from '../contract/expected-error';
import {
  databaseCode,
  INSUFFICIENT_PRIVILEGE,
  LOCK_NOT_AVAILABLE,
  MigrationDelayedError,
  prepared,
  ReservedStatements,
} from '@user-administration/postgres';

/** How many months are made ahead. */
const AHEAD = 36;
/**
 * A change of the partitions waits for their readers, such as a dump, and sealing and new readers queue behind it. So
 * each attempt gives up soon and lets them pass.
 */
const LOCK_MS = 100;
const PAUSE_MS = 400;
const ATTEMPTS = 10;
/** Sealing and readers wait for the owner's transaction, so it ends soon if its process stops. */
const IDLE_MS = 5_000;
const NOT_THE_OWNER =
  'The months of the journal belong to another user. Nothing was changed; run this command as their owner.';

/** Makes the partitions of the coming months, and empties the default partition: see `sql/journal_make_months.sql`. */
export function makeMonths(dataSource: DataSource): Promise<void> {
  return asOwner(dataSource, (manager) => manager.query('SELECT journal_make_months($1)', [AHEAD]));
}

/** The reason why a month is not pruned: it has not ended, or its entries are still needed. */
export class NotPrunableError extends ExpectedError {}

/** Somebody who needs entries of the journal for a while. */
export interface MonthHolder {
  /** @throws NotPrunableError if the entries up to a position are still needed */
  release(manager: EntityManager, position: string): Promise<void>;
  /** Removes what was kept about removed entries. */
  forget(dataSource: DataSource): Promise<void>;
}

/** The first month that is kept: it has not ended, or its newest entry is not older than the date. */
const FIRST_KEPT = `
  SELECT COALESCE(min(month), journal_month($1)) AS month
  FROM generate_series((SELECT position >> 40 FROM journal_changes
    ORDER BY position LIMIT 1), journal_month($1) - 1) AS month
  WHERE $1 <= (
    SELECT at FROM journal_changes WHERE position >= month << 40 AND position < (month + 1) << 40
      ORDER BY position DESC LIMIT 1
  )`;

/**
 * Removes the months of the log that end before a date, in one transaction. Their seals stay, so that the rest can be
 * verified.
 *
 * @returns the names of the months, oldest first
 * @throws NotPrunableError
 */
export async function pruneJournal(
  dataSource: DataSource,
  before: Date,
  holders: readonly MonthHolder[],
): Promise<string[]> {
  const months = await asOwner(dataSource, async (manager) => {
    const [{ isLater }] = await manager.query<[{ isLater: boolean }]>(
      `SELECT $1::timestamptz > date_trunc('month', clock_timestamp(), 'UTC') AS "isLater"`,
      [before],
    );
    if (isLater)
      throw new NotPrunableError(
        'Only months that have ended can be removed. Give a date that is not after the first of this month.',
      );
    // Table by table, in the order in which readers lock them.
    await manager.query('LOCK TABLE journal_changes, journal_subjects, journal_personal IN ACCESS EXCLUSIVE MODE');
    // Months without a partition of their own are in the default partition.
    await manager.query('SELECT journal_make_months(0)');
    const [{ month: kept }] = await manager.query<[{ month: string }]>(FIRST_KEPT, [before]);
    const partitions = await manager.query<{ name: string; month: string }[]>(
      `SELECT relid::regclass AS name, replace(right(relid::regclass::text, 7), '_', '-') AS month
       FROM unnest(ARRAY['journal_changes', 'journal_subjects', 'journal_personal']) AS log
       CROSS JOIN LATERAL pg_partition_tree(log::regclass)
       WHERE isleaf AND right(relid::regclass::text, 7) < to_char(date '2020-01-01' + $1::integer * interval '1 month',
         'YYYY_MM')
       ORDER BY month`,
      [kept],
    );
    if (partitions.length === 0) return [];
    const [{ position }] = await manager.query<[{ position: string }]>(
      'SELECT max(position) AS position FROM journal_seals WHERE position < $1::bigint << 40',
      [kept],
    );
    for (const holder of holders) await holder.release(manager, position);
    await manager.query(`DROP TABLE ${partitions.map(({ name }) => name).join(', ')}`);
    await manager.query('UPDATE journal_pruned SET position = $1 WHERE position < $1', [position]);
    return [...new Set(partitions.map(({ month }) => month))];
  });
  for (const holder of holders) await holder.forget(dataSource);
  return months;
}

/** @throws MigrationDelayedError if a lock was not granted in any attempt */
async function asOwner<T>(dataSource: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await dataSource.transaction('READ COMMITTED', async (manager) => {
        await manager.query(
          `SELECT set_config('lock_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $2, true)`,
          [`${LOCK_MS}`, `${IDLE_MS}`],
        );
        return work(manager);
      });
    } catch (error) {
      const code = databaseCode(error);
      if (code === INSUFFICIENT_PRIVILEGE) throw new Error(NOT_THE_OWNER, { cause: error });
      if (code !== LOCK_NOT_AVAILABLE) throw error;
      if (attempt === ATTEMPTS) throw new MigrationDelayedError(error);
    }
    await delay(PAUSE_MS);
  }
}

/** If a wrong clock has carried the journal ahead, its months count from that of the head. */
const AHEAD_NOW = prepared(
  'journal_months_ahead',
  `SELECT count(*)::integer AS ahead FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
   WHERE inhparent = 'journal_changes'::regclass AND relname BETWEEN to_char(
     date '2020-01-01' + GREATEST(journal_month(clock_timestamp()), (SELECT position >> 40
     FROM journal_head))::integer * interval '1 month',
     '"journal_changes_"YYYY_MM') AND 'journal_changes_9'`,
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
