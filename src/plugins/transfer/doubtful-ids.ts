import type { EntityManager } from 'typeorm';
import { type LineProblem, quote } from './import-error';
import { AS_TEXT } from './spoiled-texts';
import { FILE_LIMITS } from './limits';

/** Ids whose plain form can differ from them, as `users_odd_ids` says it. The others are found by their id. */
const IS_ODD =
  String.raw`id ~ '^[''=0]|[.]0$|[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200f\u2028\u2029` +
  String.raw`\u202f\u205f\u2060\u3000\ufeff]'`;

/** For tests of its plan. */
export const DOUBTFUL_IDS = `
  WITH new AS MATERIALIZED (
    SELECT line, id, doubt, plain_id(id) COLLATE "C" AS plain FROM staged_records AS staged
    WHERE kind = 'user' AND line > 0 AND NOT EXISTS (SELECT FROM users WHERE users.id = staged.id)
  ), odd AS MATERIALIZED (
    SELECT id, plain_id(id) COLLATE "C" AS plain FROM users WHERE ${IS_ODD} AND EXISTS (SELECT FROM new)
  )
  SELECT DISTINCT ON (line) line, id, doubt, other FROM (
    SELECT line, new.id, doubt, users.id AS other FROM new JOIN users ON users.id = plain WHERE plain <> ''
    UNION ALL
    SELECT line, new.id, doubt, odd.id FROM new JOIN odd ON odd.plain = new.plain WHERE new.plain <> ''
    UNION ALL
    SELECT line, id, doubt, NULL FROM new WHERE doubt IS NOT NULL
  ) AS found ORDER BY line, other NULLS LAST LIMIT ${FILE_LIMITS.warnings}`;

/**
 * The first new ids of users that a spreadsheet has probably made of others: each would make a stranger, and leave out
 * the person who was meant.
 */
export async function findDoubtfulIds(manager: EntityManager): Promise<LineProblem[]> {
  type Found = { line: number; id: string; doubt: string | null; other: string | null };
  const found: Found[] = await manager.query(DOUBTFUL_IDS);
  return found.map(({ line, id, doubt, other }) => ({
    line,
    problem:
      other === null
        ? (doubt ?? '')
        : `the id ${quote(id)} is new, and looks like ${quote(other)}, who exists: ${AS_TEXT}`,
  }));
}
