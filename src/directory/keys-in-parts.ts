import type { EntityManager } from 'typeorm';
import { LIMITS } from '../contract/limits';

/** Rows with keys, of which one column has a given value. */
interface KeyedRows {
  table: string;
  key: string;
  where: string;
  is: string;
}

/**
 * Reads keys in their order, in parts as large as those of affected users. Each part continues after the last key, past
 * the rows that the transaction has deleted. First lock what would let rows appear.
 */
export async function* keysInParts(
  manager: EntityManager,
  { table, key, where, is }: KeyedRows,
): AsyncGenerator<string[], void, undefined> {
  for (let last = '0'; ;) {
    const rows: { key: string }[] = await manager.query(
      `SELECT ${key} AS key FROM ${table} WHERE ${where} = $1 AND ${key} > $2 ORDER BY ${key} LIMIT ${LIMITS.users}`,
      [is, last],
    );
    const final = rows.at(-1);
    if (!final) return;
    yield rows.map((row) => row.key);
    last = final.key;
  }
}
