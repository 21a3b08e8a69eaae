/** The number of changes that one statement reads. */
const BATCH = 2_000;

/**
 * Reads the next links of a chain. It computes the hashes again, because an attacker who can alter the journal can also alter
 * the function that appends to it. The JSON array is the one in `sql/journal_append_changes.sql`. JSON does not show the
 * subscripts of an array, by which readers find entries. So the slices from 1 change an array with other subscripts.
 */
export const LINKS = `
  SELECT number, moment, id, entries, hash, sha256(
    lag(hash, 1, $2::bytea) OVER (ORDER BY number, moment) || convert_to(json_build_array(
      'change/1', chain, number, moment, id, CASE WHEN isfinite(at) THEN (extract(epoch FROM at) * 1000)::bigint END, entries,
      action, actor_kind, actor_id, granted_by, user_id, user_ids[1 : cardinality(user_ids)],
      workspace_id, workspace_ids[1 : cardinality(workspace_ids)], before, after, reason, request_id, traceparent
    )::text, 'UTF8')
  ) AS expected, NOT EXISTS (
    SELECT FROM (
      SELECT 'u'::"char" AS kind, * FROM unnest(user_ids) WITH ORDINALITY AS listed (subject, position)
      UNION ALL SELECT 'w', * FROM unnest(workspace_ids) WITH ORDINALITY AS listed (subject, position)
    ) AS listed
    WHERE position > 1 AND NOT EXISTS (
      SELECT FROM journal_subjects AS subject
      WHERE subject.kind = listed.kind AND subject.subject = listed.subject AND subject.moment = change.moment
        AND subject.position = listed.position
    )
  ) AS listed, COALESCE(cardinality(user_ids) - 1, 0) + COALESCE(cardinality(workspace_ids) - 1, 0) AS listings
  FROM journal_changes AS change
  WHERE chain = $1 AND (number, moment) > ($3, $4) AND number <= $5
  ORDER BY number, moment LIMIT ${BATCH}`;

/** A stored change, and the hash that results from its content and the change before it. */
export interface LinkRow {
  number: string;
  moment: string;
  /** The id of its first entry. */
  id: string;
  entries: number;
  hash: Buffer;
  expected: Buffer;
  /** Whether searches by each of its users and workspaces find it. */
  listed: boolean;
  /** The number of its rows in `journal_subjects`. */
  listings: number;
}

/** A place in a chain: a change by its number, and its hash. */
export interface ChainPlace {
  chain: number;
  number: bigint;
  hash: Buffer;
}

export interface JournalBreak {
  /** The broken entry, or the first entry of its change. If a change is missing, the last entry before it in its chain, if any. */
  entry?: string;
  /** A sentence that describes the break. */
  what: string;
}

/** Follows one chain of the journal from a trusted place, and stops at the first break. */
export class ChainWalk {
  entries = 0;
  changes = 0;
  listings = 0;
  firstBreak: JournalBreak | undefined;
  /** The place that it has reached. */
  end: ChainPlace & { entry?: string };

  constructor(start: ChainPlace) {
    this.end = start;
  }

  /** Pass rows in the order of their numbers. */
  visit(row: LinkRow): void {
    const { chain, number } = this.end;
    const expected = number + 1n;
    if (BigInt(row.number) > expected) this.breakAfter(`change ${expected} of chain ${chain} is missing`);
    else if (BigInt(row.number) < expected) this.breakAt(row, `chain ${chain} has no place for it`);
    else if (!row.hash.equals(row.expected)) this.breakAt(row, 'it does not fit its hash');
    else if (!row.listed) this.breakAt(row, 'it is not listed under each of its users and workspaces');
    this.entries += row.entries;
    this.changes++;
    this.listings += row.listings;
    this.end = { chain, number: BigInt(row.number), hash: row.hash, entry: lastEntry(row) };
  }

  /** Call this last. Without the check of its head, a chain that has lost its newest changes would look intact. */
  finish(head: ChainPlace): void {
    const { chain, number, hash } = this.end;
    const missing = head.number - number;
    if (missing > 0n) this.breakAfter(`chain ${chain} has lost its newest changes, ${missing} in number`);
    else if (missing < 0n) this.breakAfter(`the head of chain ${chain} is ${-missing} behind`);
    else if (!head.hash.equals(hash)) this.breakAfter(`chain ${chain} ends in another change than its head says`);
  }

  private breakAt(row: LinkRow, what: string): void {
    const last = lastEntry(row);
    const named = row.entries > 1 ? `The change with the entries ${row.id} to ${last}` : `Entry ${row.id}`;
    this.firstBreak ??= { entry: row.id, what: `${named} is broken: ${what}.` };
  }

  private breakAfter(what: string): void {
    const { entry } = this.end;
    const where = entry === undefined ? '' : ` after entry ${entry}`;
    this.firstBreak ??= { entry, what: `The journal is broken${where}: ${what}.` };
  }
}

function lastEntry({ id, entries }: LinkRow): string {
  return String(BigInt(id) + BigInt(entries - 1));
}
