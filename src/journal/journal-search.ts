import type { JournalAction } from '../contract/journal';
import { PAGE_BYTES } from '../answers/page-room';
import { CHANGE_COLUMNS, CHANGE_USERS, CHANGE_WORKSPACES, ENTRY_BYTES } from './change-row';
import { MAX_MOMENT, momentOf } from './moment';

/** The filters of a search. All of them must match. */
export interface JournalFilter {
  user?: string;
  workspace?: string;
  actor?: string;
  /** One of these. */
  action?: readonly JournalAction[];
  from?: Date;
  /** Exclusive. */
  to?: Date;
}

/** The position of an entry in the order of pages: the moment of its change, and its position in the change, from 1. */
export interface JournalPosition {
  moment: string;
  position: number;
}

/**
 * A query for changes, newest first, and the range of entries of each: those of `user_ids` from position `first` on. It ends early with the
 * change that fills a page.
 */
export interface JournalSearch {
  statement: string;
  parameters: unknown[];
}

/** Looks up rows by the primary key one by one: there are few, whatever PostgreSQL estimates. */
const JOIN_CHANGE = `CROSS JOIN LATERAL (
  SELECT * FROM journal_changes AS change WHERE change.moment = found.moment OFFSET 0) AS change`;

type Column = 'user_id' | 'workspace_id' | 'actor_id' | 'action';

/**
 * Finds the newest matching entries that are older than a position.
 *
 * Each filter has an index in the order of the pages, so a page reads little more than it shows, however old its
 * entries are. The first user and the first workspace of a change are in indexes of `journal_changes`, the others in
 * `journal_subjects`.
 *
 * @param limit the number of entries to find
 */
export function searchFor(filter: JournalFilter, limit: number, olderThan?: JournalPosition): JournalSearch {
  const search = new Search(filter, limit, olderThan);
  const statement = filter.user === undefined ? search.forChanges() : search.forUser(filter.user);
  return { statement, parameters: search.parameters };
}

class Search {
  readonly parameters: unknown[] = [];
  /** The condition on moments. */
  private readonly span: string;

  constructor(
    private readonly filter: JournalFilter,
    private readonly limit: number,
    private readonly olderThan: JournalPosition | undefined,
  ) {
    const { from, to } = filter;
    const end = to ? momentOf(to) : MAX_MOMENT;
    const next = olderThan ? BigInt(olderThan.moment) + 1n : MAX_MOMENT;
    const begin = from ? momentOf(from) : 0n;
    this.span = `moment >= ${this.add(String(begin))} AND moment < ${this.add(String(end < next ? end : next))}`;
  }

  forUser(user: string): string {
    const { filter, olderThan, limit } = this;
    const facts = this.factsOf(filter.actor, filter.action, filter.workspace);
    const end = olderThan && `(${this.add(olderThan.moment)}, ${this.add(olderThan.position)})`;
    const older = (position: string) => (end ? `(moment, ${position}) < ${end}` : 'TRUE');
    return `
      SELECT moment, id, first, (${CHANGE_USERS})[first : first] AS user_ids, ${CHANGE_COLUMNS}
      FROM (
        SELECT change.*, position AS first, ${bytesBefore('1', 'change.moment DESC, position DESC')} AS bytes_before
        FROM (
          (${this.newestWith('user_id', user, `${facts} AND ${older('1')}`)} LIMIT ${limit})
          UNION ALL
          (SELECT moment, position FROM ${this.subjectsWith('u', user, facts)} AND ${older('position')}
           ORDER BY moment DESC, position DESC LIMIT ${limit})
        ) AS found ${JOIN_CHANGE}
        ORDER BY change.moment DESC, position DESC LIMIT ${limit}
      ) AS change
      WHERE bytes_before <= ${PAGE_BYTES}
      ORDER BY moment DESC, first DESC`;
  }

  /** Finds enough changes for the requested entries, and cuts the first and the last change to size. */
  forChanges(): string {
    const { limit, olderThan } = this;
    const last = olderThan
      ? `CASE WHEN change.moment = ${this.add(olderThan.moment)} THEN ${this.add(olderThan.position)} - 1 ELSE entries END`
      : 'entries';
    return `
      SELECT moment, id, first, (${CHANGE_USERS})[first : last] AS user_ids, ${CHANGE_COLUMNS}
      FROM (
        SELECT *, GREATEST(before_first + last - ${limit}, 0)::integer + 1 AS first
        FROM (
          SELECT *, sum(last) OVER (ORDER BY moment DESC) - last AS before_first,
            ${bytesBefore(`LEAST(last, ${limit})`, 'moment DESC')} AS bytes_before
          FROM (SELECT change.*, ${last} AS last FROM (${this.moments()}) AS found ${JOIN_CHANGE}) AS change
        ) AS change
        WHERE last > 0 AND before_first < ${limit} AND bytes_before <= ${PAGE_BYTES}
      ) AS change
      ORDER BY moment DESC`;
  }

  /** One more than requested, because the change in which the previous page ended may have no entry left. */
  private moments(): string {
    const { workspace, actor, action } = this.filter;
    const limit = `LIMIT ${this.limit + 1}`;
    if (workspace !== undefined) {
      const facts = this.factsOf(actor, action);
      return `
        SELECT moment FROM (
          (${this.newestWith('workspace_id', workspace, facts)} ${limit})
          UNION
          (SELECT moment, 1 FROM ${this.subjectsWith('w', workspace, facts)} ORDER BY moment DESC ${limit})
        ) AS found ORDER BY moment DESC ${limit}`;
    }
    if (action !== undefined) {
      // Each action has a search of its own: an index contains only the changes of one action in the order of the pages.
      const searches = action.map((one) => `(${this.newestOf(one, actor)} ${limit})`);
      return `SELECT moment FROM (${searches.join(' UNION ALL ')}) AS found ORDER BY moment DESC ${limit}`;
    }
    if (actor !== undefined) return `${this.newestWith('actor_id', actor)} ${limit}`;
    return `SELECT moment FROM journal_changes WHERE ${this.span} ORDER BY moment DESC ${limit}`;
  }

  /** With both filters, the statistics decide which of their indexes to read. */
  private newestOf(action: JournalAction, actor: string | undefined): string {
    if (actor === undefined) return this.newestWith('action', action);
    return `SELECT moment, 1 AS position FROM journal_changes
      WHERE actor_id = ${this.add(actor)} AND action = ${this.add(action)} AND ${this.span} ORDER BY moment DESC`;
  }

  /**
   * Compares with a one-element list, and orders by both columns, so that only the index on both provides the order.
   * With `=`, PostgreSQL might read all changes from the newest on, because it assumes that matches are evenly
   * distributed in time.
   */
  private newestWith(column: Column, value: string, facts = 'TRUE'): string {
    return `SELECT moment, 1 AS position FROM journal_changes AS change
      WHERE ${column} = ANY (${this.add([value])}::text[]) AND ${this.span} AND ${facts}
      ORDER BY ${column} DESC, moment DESC`;
  }

  private subjectsWith(kind: 'u' | 'w', value: string, facts: string): string {
    const hasFacts = `SELECT ${facts} FROM journal_changes AS change WHERE change.moment = subject.moment`;
    return `journal_subjects AS subject WHERE kind = '${kind}' AND subject = ${this.add(value)}
      AND ${this.span} AND ${facts === 'TRUE' ? facts : `(${hasFacts})`}`;
  }

  /**
   * Further conditions on a change. They are subqueries: PostgreSQL assumes that conditions are independent, so it
   * would expect almost no rows, and read and sort all that it finds.
   */
  private factsOf(actor?: string, action?: readonly JournalAction[], workspace?: string): string {
    const conditions = [
      actor === undefined ? [] : [`change.actor_id = ${this.add(actor)}`],
      action === undefined ? [] : [`change.action = ANY (${this.add(action)}::text[])`],
      workspace === undefined ? [] : [`${this.add(workspace)} = ANY (${CHANGE_WORKSPACES})`],
    ].flat();
    return conditions.length > 0 ? `(SELECT ${conditions.join(' AND ')})` : 'TRUE';
  }

  private add(value: unknown): string {
    return `$${this.parameters.push(value)}`;
  }
}

/** The size of the entries of all changes before this one. The first change that does not fit on the page is the last to be read. */
function bytesBefore(entries: string, order: string): string {
  const bytes = `${entries} * (change.bytes + ${ENTRY_BYTES})::bigint`;
  return `sum(${bytes}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - ${bytes}`;
}
