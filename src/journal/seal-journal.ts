import { OutcomeUnknownError, prepared, type Queryable } from '@user-administration/postgres';
import type { Transactions } from '../database/transactions';

/** The newest seal: the position of the last entry, and the hash over all of them in hexadecimal. */
export interface Head {
  position: number;
  hash: string;
  /** The position up to which entries were removed. */
  pruned: number;
}

const SEAL = prepared(
  'seal_journal',
  `SELECT head_position AS position, encode(head_hash, 'hex') AS hash, more,
     (SELECT position FROM journal_pruned) AS pruned FROM seal_journal($1, NULL)`,
);

interface SealRow {
  position: string;
  hash: string;
  more: boolean;
  pruned: string;
}

/** Seals one batch: see `sql/seal_journal.sql`. @param whole whether to read the whole inbox, as a process does once */
export async function sealOnce(transactions: Transactions, whole: boolean): Promise<Head & { more: boolean }> {
  try {
    const [row] = await transactions.call((sender) => sender.query<[SealRow]>(SEAL, [whole]));
    return { ...row, position: Number(row.position), pruned: Number(row.pruned) };
  } catch (error) {
    // Waiting requests continue whether or not it was sealed.
    throw error instanceof OutcomeUnknownError ? error.cause : error;
  }
}

/** Seals everything that was committed, for a command that ends. */
export async function sealJournal(database: Queryable): Promise<void> {
  for (let more = true; more;) [{ more }] = await database.query<[{ more: boolean }]>(SEAL, [true]);
}
