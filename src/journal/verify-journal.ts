import type { Queryable } from '../database/statements';
import { type ChainPlace, ChainWalk, type JournalBreak, type LinkRow, LINKS } from './hash-chain';

/** The result of a verification. */
export interface JournalVerdict {
  entries: number;
  changes: number;
  /** Chains with at least one change. */
  chains: number;
  /** The first break; undefined if there is none. */
  broken?: JournalBreak;
  /** The end of each chain. If it is stored elsewhere, a later verification can start there, and proves that nothing before was lost. */
  point: ChainPlace[];
}

/** The number of chains that the migration created, numbered from 0. */
export const CHAINS = 64;
const BEFORE_ALL = -(2n ** 63n);
const NOTHING = Buffer.alloc(0);

/** The heads of all chains and, in the same snapshot, the newest number of each and the number of rows in `journal_subjects`. */
const HEADS = `
  SELECT chain, head.number, head.hash, (
    SELECT max(number) FROM journal_changes AS change WHERE change.chain = head.chain
  ) AS newest, CASE WHEN $1 THEN (SELECT count(*) FROM journal_subjects) END AS listings
  FROM journal_heads AS head ORDER BY chain`;

interface Head {
  chain: number;
  number: string;
  hash: Buffer;
  newest: string | null;
  listings: string | null;
}

/**
 * Compares the journal with its hashes, in parts and with constant memory. The service may append meanwhile; the
 * verification ends where the journal ended when it began.
 *
 * @param since the end of an earlier verification; earlier changes are not read again
 * @example
 * const { broken } = await verifyJournal(dataSource);
 * if (broken) console.error(broken.what);
 */
export async function verifyJournal(database: Queryable, since?: readonly ChainPlace[]): Promise<JournalVerdict> {
  const heads = await database.query<Head[]>(HEADS, [since === undefined]);
  let listings = 0;
  const verdict: JournalVerdict = { entries: 0, changes: 0, chains: 0, point: [] };
  const breaks = await findWithoutHead(database, heads);
  for (const { chain, number, hash, newest } of heads) {
    const head = { chain, number: BigInt(number), hash };
    const start = since?.find((place) => place.chain === chain);
    const walk = new ChainWalk(start ?? { ...head, number: 0n, hash: NOTHING });
    if (newest !== null) await followChain(database, walk, newest);
    walk.finish(head);
    verdict.entries += walk.entries;
    verdict.changes += walk.changes;
    listings += walk.listings;
    if (head.number > 0n) verdict.point.push(head);
    if (walk.firstBreak) breaks.push(walk.firstBreak);
  }
  verdict.chains = verdict.point.length;
  const stray = Number(heads[0]?.listings ?? listings) - listings;
  if (stray > 0) breaks.push({ what: `The journal is broken: ${stray} rows of journal_subjects belong to no entry.` });
  verdict.broken = firstOf(breaks);
  return verdict;
}

/** Reads a chain up to and including a number. */
async function followChain(database: Queryable, walk: ChainWalk, to: string): Promise<void> {
  const { chain, number: start } = walk.end;
  // A number that is too low for the chain is a break as well, so the start is below all numbers.
  let [number, moment] = start === 0n ? [BEFORE_ALL, BEFORE_ALL] : [start, -BEFORE_ALL - 1n];
  for (;;) {
    const rows = await database.query<LinkRow[]>(LINKS, [chain, walk.end.hash, String(number), String(moment), to]);
    for (const row of rows) walk.visit(row);
    const last = rows.at(-1);
    if (!last || walk.firstBreak) return;
    [number, moment] = [BigInt(last.number), BigInt(last.moment)];
  }
}

/** Anybody could extend a chain without a head, and a chain that is gone completely would not be missed. */
async function findWithoutHead(database: Queryable, heads: readonly Head[]): Promise<JournalBreak[]> {
  const present = new Set(heads.map(({ chain }) => chain));
  const expected = Array.from({ length: CHAINS }, (_, chain) => chain);
  const absent = expected.filter((chain) => !present.has(chain));
  const rows = await database.query<{ chain: number; entry: string | null }[]>(
    `SELECT chain, (SELECT id + entries - 1 FROM journal_changes AS change WHERE change.chain = absent.chain
       ORDER BY number DESC LIMIT 1) AS entry
     FROM (
       SELECT unnest($1::smallint[]) AS chain
       UNION SELECT chain FROM journal_changes WHERE chain < 0 OR chain >= ${CHAINS}
     ) AS absent ORDER BY chain`,
    [absent],
  );
  return rows.map(({ chain, entry }) => ({
    entry: entry ?? undefined,
    what: `The journal is broken${entry === null ? '' : ` after entry ${entry}`}: chain ${chain} has no head.`,
  }));
}

/** Ids grow along each chain and, from chain to chain, with time. Breaks without an entry come last. */
function firstOf(breaks: readonly JournalBreak[]): JournalBreak | undefined {
  const order = ({ entry }: JournalBreak) => BigInt(entry ?? -BEFORE_ALL - 1n);
  return breaks.toSorted((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0))[0];
}
