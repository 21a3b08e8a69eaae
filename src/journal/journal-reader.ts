import { Injectable } from '@nestjs/common';
import { BRIEF_PAGE_BYTES, PAGE_BYTES, PageBudget } from '../answers/page-budget';
import { ServiceError } from '../contract/errors';
import { Statements } from '@user-administration/postgres';
import { type ChangeRow, ENTRY_BYTES, inBrief, toEntry } from './change-row';
import type { JournalEntryDto } from './dto/journal-page.dto';
import { FollowerCursor } from './follower-cursor';
import type { JournalFilter } from './journal-filter';
import { JournalSearch, type Span } from './journal-search';
import type { Head } from './seal-journal';

/** A change with the positions of its entries. */
export interface FoundChange extends ChangeRow {
  /** The position of the entry of the first of `user_ids`. */
  position: number;
  /** Null for a change without a user, which has one entry. */
  user_ids: (string | null)[];
  bytes: number;
}

/**
 * Changes in their order, and where the search ended if there can be more: an entry of a change that it has compared.
 */
export interface FoundChanges {
  changes: FoundChange[];
  end?: number;
}

/** Entries in their order, and the entry to continue from if there are more. */
interface EntryPage {
  entries: JournalEntryDto[];
  end?: number;
}

/**
 * The sizes of the slices that one page compares with its filters: 10,000 changes in all. Most pages are full after the
 * first.
 */
const SLICES = [250, 9_750];

type Row = Omit<FoundChange, 'position'> & {
  pruned: string;
  is_full: boolean;
  matches: number;
  slice_end: string | null;
  /** Null in the row of a slice without any match. */
  position: string | null;
  /** The number of entries of the change before that of the first of `user_ids`. */
  nth: number;
};

/** Reads the journal, in both directions. */
@Injectable()
export class JournalReader {
  constructor(private readonly statements: Statements) {}

  /**
   * A page of the matching entries of a span, oldest first or newest first. It ends when it is full, or when it has
   * compared 10,000 changes: then it can be short or empty, although there are more.
   *
   * @param brief whether to leave out the fields that can be long
   */
  async page(filter: JournalFilter, span: Span, limit: number, isForward: boolean, brief = false): Promise<EntryPage> {
    const { changes, end } = await this.find(filter, span, limit + 1, isForward, brief);
    const page = pageOf(changes, span, { limit, isForward, brief });
    return { entries: page.entries, end: page.end ?? end };
  }

  /**
   * The matching changes of a span, up to the one with the last wanted entry, or that fills a page.
   *
   * @throws ServiceError `journal.pruned` when reading forwards
   */
  async find(
    filter: JournalFilter,
    whole: Span,
    limit: number,
    isForward: boolean,
    brief = false,
  ): Promise<FoundChanges> {
    const changes: FoundChange[] = [];
    const span = await this.withinTimes(whole, filter);
    if (span.after >= span.until) return { changes };
    const search = new JournalSearch(filter, span, isForward);
    const choice = search.choices > 1 ? await this.fewest(search, isForward) : 0;
    let rest = span;
    for (const size of search.isJudging ? SLICES : [limit]) {
      const { statement, parameters } = new JournalSearch(filter, rest, isForward).slice(choice, size, limit, brief);
      const rows = await this.statements.query<[Row, ...Row[]]>(statement, parameters);
      const found = rows.flatMap(toChange);
      changes.push(...found);
      const [{ pruned, matches, is_full: isFull, slice_end: sliceEnd }] = rows;
      // A month may have been removed since the span was judged.
      if (isForward && Number(pruned) > whole.after) throw new ServiceError('journal.pruned');
      const last = found.at(-1);
      if (last && (matches > found.length || matches === limit)) {
        return { changes, end: isForward ? last.position + last.user_ids.length - 1 : last.position };
      }
      if (!isFull) return { changes };
      const end = Number(sliceEnd);
      rest = isForward ? { after: end, until: span.until } : { after: span.after, until: end - 1 };
    }
    return { changes, end: isForward ? rest.after : rest.until + 1 };
  }

  /**
   * The part of a span that can have entries of these times: an entry is not newer than its seal, nor older than it by
   * more than the lag.
   */
  private async withinTimes(span: Span, { from, to }: JournalFilter): Promise<Span> {
    if (from === undefined && to === undefined) return span;
    const [{ after, until }] = await this.statements.query<[{ after: string | null; until: string | null }]>(
      `SELECT (SELECT max(position) FROM journal_seals WHERE at < $1) AS after,
         (SELECT max(position) FROM journal_seals WHERE at <= $2::timestamptz + (SELECT lag
         FROM journal_head)) AS until`,
      [from, to],
    );
    const isLater = Number(after ?? 0) > span.after;
    return {
      ...(isLater ? { after: Number(after) } : span),
      until: to === undefined ? span.until : Math.min(span.until, Number(until ?? 0)),
    };
  }

  /** The choice whose changes are the fewest, at this place of the journal. */
  private async fewest(search: JournalSearch, isForward: boolean): Promise<number> {
    const { statement, parameters } = search.compare();
    const [{ ends }] = await this.statements.query<[{ ends: (string | null)[] }]>(statement, parameters);
    const reach = ends.map((end) => (end === null ? Infinity : Number(end) * (isForward ? 1 : -1)));
    return reach.indexOf(Math.max(...reach));
  }

  /**
   * What comes after a follower's cursor, up to the head.
   *
   * @throws ServiceError `journal.other`, `journal.pruned`
   */
  async spanAfter(cursor: FollowerCursor, head: Head): Promise<Span> {
    const { position } = cursor;
    const [{ hash, begin }] = await this.statements.query<[{ hash: string | null; begin: string | null }]>(
      `SELECT (${SEAL_OVER}) AS hash, (
         SELECT position FROM (SELECT * FROM journal_changes WHERE position <= $1
           ORDER BY position DESC LIMIT 1) AS change
         WHERE position + entries - 1 > $1
       ) AS begin`,
      [position],
    );
    if (position > head.position || hash === null || !cursor.isOf(hash)) throw new ServiceError('journal.other');
    if (position < head.pruned) throw new ServiceError('journal.pruned');
    return { after: position, until: head.position, ...(begin !== null && { begin: Number(begin) }) };
  }

  /**
   * The cursor of a follower that has read everything up to a position. A failover can lose entries at any moment: then
   * the cursor would be of other entries than those that were read.
   *
   * @param bound the head up to which they were read
   * @param waited where the follower has waited for them
   * @throws ServiceError `journal.other` if the journal no longer has one of these
   */
  async cursorAt(position: number, bound: FollowerCursor, ...waited: FollowerCursor[]): Promise<FollowerCursor> {
    if (position === bound.position && waited.length === 0) return bound;
    const kept = [bound, ...waited];
    const seals = await this.statements.query<{ hash: string | null }[]>(
      `SELECT (${SEAL_OVER.replace('$1', 'covered')}) AS hash
       FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (covered, nth) ORDER BY nth`,
      [[...kept.map((cursor) => cursor.position), position]],
    );
    const hash = seals.pop()?.hash;
    if (typeof hash !== 'string' || !kept.every((cursor, at) => cursor.isOf(seals[at]?.hash ?? '')))
      throw new ServiceError('journal.other');
    return FollowerCursor.of({ position, hash });
  }
}

/** The hash of the first seal that covers a position. */
const SEAL_OVER =
  `SELECT encode(hash, 'hex') AS hash FROM journal_seals WHERE position >= $1 ` + 'ORDER BY position LIMIT 1';

interface PageShape {
  limit: number;
  isForward: boolean;
  brief: boolean;
  /** The user of the entries, if others were found as well. */
  wanted?: string | undefined;
}

/**
 * How long making a page of brief entries may take. It is judged after `JUDGED_AFTER` entries: a client takes a shorter
 * page for a whole one.
 */
const BRIEF_PAGE_MS = 25;
const JUDGED_AFTER = 500;

/** The entries of changes, as many as fit on a page. */
export function pageOf(
  changes: readonly FoundChange[],
  { after, until }: Span,
  { limit, isForward, brief, wanted }: PageShape,
): EntryPage {
  const budget = new PageBudget(limit, brief ? BRIEF_PAGE_BYTES : PAGE_BYTES);
  const began = performance.now();
  const entries: JournalEntryDto[] = [];
  for (const change of changes) {
    const users = [...change.user_ids.entries()];
    const whole = toEntry(change, change.position, null);
    const shared = brief ? inBrief(whole) : whole;
    const bytesOfShared = brief ? Buffer.byteLength(JSON.stringify(shared)) : change.bytes + ENTRY_BYTES;
    for (const [index, user] of isForward ? users : users.reverse()) {
      const id = change.position + index;
      if (id <= after || id > until || (wanted !== undefined && user !== wanted)) continue;
      const bytes = bytesOfShared + (brief ? Buffer.byteLength(JSON.stringify(user)) : 0);
      const isLate =
        brief && entries.length > 0 && entries.length % JUDGED_AFTER === 0 && performance.now() - began > BRIEF_PAGE_MS;
      if (isLate || !budget.spend(bytes)) return { entries, end: Number(entries.at(-1)?.id) };
      entries.push({ ...shared, id: String(id), user });
    }
  }
  return { entries };
}

function toChange({ position, nth, ...row }: Row): FoundChange[] {
  return position === null ? [] : [{ ...row, position: Number(position) + nth }];
}
