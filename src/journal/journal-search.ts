import { BRIEF_PAGE_BYTES, PAGE_BYTES } from '../answers/page-budget';
import { CHANGE_COLUMNS, CHANGE_KEYS, CHANGE_USERS, CHANGE_WORKSPACES, ENTRY_BYTES, JOIN_PERSONAL } from './change-row';
import type { JournalFilter } from './journal-filter';

/** Entries by their positions: those after the first, up to and including the second. */
export interface Span {
  after: number;
  until: number;
  /** The change that has the first of them, if that begins before: the others of its entries are not in the span. */
  begin?: number;
}

interface Query {
  statement: string;
  parameters: unknown[];
}

/** One filter that has an index in the order of the journal: a query for the positions of its changes. */
type Source = (limit: number) => string;

/** The ids under which the user of the filter has entries. */
const BORNE = 'borne AS MATERIALIZED (SELECT id, key, until FROM journal_ids_of';

/** How far {@link JournalSearch.compare} looks. */
const COMPARED = 250;

/**
 * The queries of a reader. They read one filter by its index, in slices of bounded size, and judge the changes of a
 * slice by the others. The first user and the first workspace of a change are in indexes of `journal_changes`, the
 * others in `journal_subjects`. A user is looked for under earlier ids as well: a change that names one of these and
 * the id of the filter has a row for each.
 */
export class JournalSearch {
  /** A search by no filter reads all changes. */
  private readonly sources: Source[];
  private parameters: unknown[] = [];

  constructor(
    private readonly filter: JournalFilter,
    private readonly span: Span,
    private readonly isForward: boolean,
  ) {
    const { user, workspace, actor, action } = filter;
    const sources: Source[] = [];
    if (user !== undefined) sources.push((limit) => this.byUser(limit));
    if (workspace !== undefined) sources.push((limit) => this.byWorkspace(workspace, limit));
    if (actor !== undefined) sources.push((limit) => this.by('actor_id', actor, limit));
    if (action !== undefined) {
      // Each action has a search of its own: an index has only the changes of one action in order.
      sources.push((limit) => action.map((one) => this.by('action', one, limit)).join(' UNION ALL '));
    }
    const all: Source = (limit) => `SELECT position FROM journal_changes WHERE ${this.range} ${this.ordered(limit)}`;
    this.sources = sources.length > 0 ? sources : [all];
  }

  /** The number of filters that could be read by their index. */
  get choices(): number {
    return this.sources.length;
  }

  /** Whether a change that one filter finds must be judged by others. */
  get isJudging(): boolean {
    return this.choices > 1 || this.filter.from !== undefined || this.filter.to !== undefined;
  }

  /**
   * For each choice, how far its next changes reach. The one that reaches furthest has the fewest, at this place of the
   * journal.
   */
  compare(): Query {
    return this.query(() => {
      const ends = this.sources.map(
        (source) => `(SELECT position FROM (${source(COMPARED)}) AS found ${this.ordered(1)} OFFSET ${COMPARED - 1})`,
      );
      return `${this.borne('WITH', '')} SELECT ARRAY[${ends.join(', ')}] AS ends`;
    });
  }

  /**
   * A query for the changes that match, among the next ones that a filter finds. Every row says where the slice ended,
   * how many changes match, and up to where the journal was pruned. There is one row without a change if none matches,
   * and there are fewer if the page is full before.
   *
   * @param size of the slice
   * @param limit the number of entries that the caller can use
   * @param brief then they are measured when they are written, and here only what is read of them
   */
  slice(choice: number, size: number, limit: number, brief: boolean): Query {
    return this.query(() => {
      const { user } = this.filter;
      const { after, until } = this.span;
      const first = `GREATEST(change.position, ${this.add(after)}::bigint + 1)`;
      const last = `LEAST(change.position + change.entries - 1, ${this.add(until)}::bigint)`;
      const left =
        user === undefined
          ? `${last} - ${first} + 1`
          : `(change.position + named.nth BETWEEN ${first} AND ${last})::integer`;
      const named = `(
        SELECT DISTINCT CASE WHEN borne.key IS NULL THEN array_position(${CHANGE_USERS}, borne.id)
          ELSE array_position(${CHANGE_KEYS}, borne.key) END - 1 AS nth FROM borne
      )`;
      const room = brief
        ? `(entries_left * bytes::bigint + COALESCE(octet_length(array_to_json(user_ids)::text), 0))`
        : `entries_left * (bytes + ${ENTRY_BYTES})::bigint`;
      const byEntry = (position: string, nth: string) =>
        `ORDER BY ${position} ${this.direction}, ${nth} ${this.direction}`;
      const window = `OVER (${byEntry('position', 'nth')} ROWS UNBOUNDED PRECEDING)`;
      return `
        WITH ${this.borne('', ',')} slice AS MATERIALIZED (
          SELECT position FROM (${this.sources[choice]?.(size)}) AS found ${this.ordered(size)}
        ), matching AS MATERIALIZED (
          SELECT change.*, named.nth, ${left} AS entries_left
          FROM slice CROSS JOIN LATERAL (SELECT * FROM journal_changes AS change
            WHERE change.position = slice.position OFFSET 0) AS change
          CROSS JOIN LATERAL ${user === undefined ? '(SELECT 0 AS nth)' : named} AS named
          WHERE ${left} > 0 AND ${this.conditions()}
          ${byEntry('slice.position', 'named.nth')} LIMIT ${limit}
        )
        SELECT ends.*, change.*
        FROM (
          SELECT (SELECT position FROM journal_pruned) AS pruned,
            (SELECT count(*) FROM slice) = ${size} AS is_full, (SELECT count(*) FROM matching)::integer AS matches, (
            SELECT position + ${this.isForward ? 'entries - 1' : '0'} FROM journal_changes
            WHERE position = (SELECT ${this.isForward ? 'max' : 'min'}(position) FROM slice)
          ) AS slice_end
        ) AS ends
        LEFT JOIN (
          SELECT change.position, change.nth, change.entries, change.bytes,
            ${user === undefined ? CHANGE_USERS : `ARRAY[(${CHANGE_USERS})[change.nth + ` + '1]]'} AS user_ids,
            ${CHANGE_COLUMNS}
          FROM (
            SELECT *, sum(entries_left) ${window} - entries_left AS entries_before,
              sum(${room}) ${window} - ${room} AS bytes_before
            FROM matching
          ) AS change ${JOIN_PERSONAL}
          WHERE entries_before < ${limit} AND bytes_before <= ${brief ? BRIEF_PAGE_BYTES : PAGE_BYTES}
        ) AS change ON true
        ${byEntry('change.position', 'change.nth')}`;
    });
  }

  private query(write: () => string): Query {
    this.parameters = [];
    const statement = write();
    return { statement, parameters: this.parameters };
  }

  private get direction(): string {
    return this.isForward ? 'ASC' : 'DESC';
  }

  private ordered(limit: number): string {
    return `ORDER BY position ${this.direction} LIMIT ${limit}`;
  }

  /** The CTE of {@link BORNE}, if there is a filter by user. */
  private borne(before: string, after: string): string {
    const { user } = this.filter;
    return user === undefined ? '' : `${before} ${BORNE}(${this.add(user)}))${after}`;
  }

  /** The changes that have entries of the span, in numbers: PostgreSQL plans for the rows that it expects. */
  private get range(): string {
    const { after, begin = after + 1, until } = this.span;
    return `position >= ${this.add(begin)} AND position <= ${this.add(until)}`;
  }

  /** A workspace is in the index if it is the first of a change. */
  private byWorkspace(workspace: string, limit: number): string {
    return `${this.by('workspace_id', workspace, limit)} UNION ALL
      (SELECT position FROM journal_subjects WHERE kind = 'w' AND subject = ${this.add(workspace)}
      AND ${this.range} ${this.ordered(limit)})`;
  }

  /**
   * A user is in the index if it is the first of a change. A change can name the id, and under an earlier one the user
   * who bears it now.
   */
  private byUser(limit: number): string {
    const range = `${this.range} AND position <= borne.until`;
    return `SELECT DISTINCT found.position FROM borne CROSS JOIN LATERAL (
      (SELECT position FROM journal_changes WHERE user_id = ANY (ARRAY[borne.id])
        AND (borne.key IS NULL OR user_key = borne.key) AND ${range}
        ORDER BY user_id ${this.direction}, position ${this.direction} LIMIT ${limit})
      UNION ALL (SELECT position FROM journal_subjects AS listed WHERE kind = 'u' AND subject = borne.id
        AND (borne.key IS NULL OR EXISTS (
          SELECT FROM journal_changes AS c WHERE c.position = listed.position AND borne.key = ANY (c.user_keys)
        )) AND ${range} ${this.ordered(limit)})
    ) AS found`;
  }

  /**
   * Compares with a one-element list, and orders by both columns, so that only the index on both provides the order.
   * With `=`, PostgreSQL might read all changes, because it assumes that matches are evenly distributed.
   */
  private by(column: 'workspace_id' | 'actor_id' | 'action', value: string, limit: number): string {
    return `(SELECT position FROM journal_changes WHERE ${column} = ANY (${this.add([value])}::text[]) AND ${this.range}
      ORDER BY ${column} ${this.direction}, position ${this.direction} LIMIT ${limit})`;
  }

  /** All filters except the user, whose entry is searched in the change. */
  private conditions(): string {
    const { workspace, actor, action, from, to } = this.filter;
    const conditions = [
      workspace === undefined ? [] : [`${this.add(workspace)} = ANY (${CHANGE_WORKSPACES})`],
      actor === undefined ? [] : [`change.actor_id = ${this.add(actor)}`],
      action === undefined ? [] : [`change.action = ANY (${this.add(action)}::text[])`],
      from === undefined ? [] : [`change.at >= ${this.add(from)}`],
      to === undefined ? [] : [`change.at < ${this.add(to)}`],
    ].flat();
    return conditions.length > 0 ? conditions.join(' AND ') : 'TRUE';
  }

  private add(value: unknown): string {
    return `$${this.parameters.push(value)}`;
  }
}
