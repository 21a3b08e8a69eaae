import { Injectable } from '@nestjs/common';
import { PAGE_BYTES } from '../answers/page-room';
import { ServiceError } from '../contract/errors';
import type { JournalAction } from '../contract/journal';
import { prepared } from '../database/prepared-statements';
import { Statements } from '../database/statements';
import { CHANGE_COLUMNS, CHANGE_USERS, type ChangeRow } from './change-row';
import type { FeedPosition } from './feed-cursor';

/** The place of a change in the chains. */
interface Place {
  chain: number;
  number: bigint;
  id: bigint;
}

/** A change whose action is asked for. */
export interface FeedChange extends Place, ChangeRow {
  /** Null for a change without a user, which has one entry. */
  user_ids: (string | null)[];
}

/** A change whose action is not asked for. Only its place is read. */
export interface PassedChange extends Place {
  action: null;
  user_ids: null;
  bytes: null;
}

/** The result of one poll. */
export interface FeedPart {
  /** In the order for followers. */
  changes: (FeedChange | PassedChange)[];
  /** Whether more changes follow. */
  more: boolean;
  /** Whether the poll ended because the changes are as large as a page. */
  isLarge: boolean;
}

/** What a poll asks for. */
interface FeedRequest {
  /** The number of entries at which to stop, for a caller that needs no more. */
  most?: number;
  /** The actions of the changes to read; by default all. Of other changes, only the places are read, and no entry counts. */
  actions?: readonly JournalAction[];
}

/** The maximum number of changes that one poll returns. */
const MAX_CHANGES = 256;
/** A poll ends with the change that reaches this number of entries, or the size of a page. */
const MAX_ENTRIES = 10_000;
/** The maximum number of changes that one poll compares, in all chains together. */
const COMPARED = 1_024;
/** Places in the rest of a chain at which a poll can end. */
const STEPS = [4, 16, 64, 256];

const MAX_ID = 2n ** 63n - 1n;
const NO_CHAIN = -1;

/**
 * The next changes of all chains in the order of their ids, all in one snapshot.
 *
 * A poll ends at an id, because a chain that is read only in part can contain lower ids than other chains. To find that id,
 * `step` reads the ids at a few places in each chain. A poll that passes one of these places compares the chain up to the next
 * place: `growth` more changes. It ends at the first place beyond which it would compare too many. So it returns at least about
 * a quarter of the changes that it compares, whether one chain contains the oldest changes or all chains do.
 *
 * Chains that do not continue the position come first, so that the limit cannot hide them.
 */
const NEXT_CHANGES = prepared(
  'next_changes',
  `WITH behind AS MATERIALIZED (
    SELECT head.chain, head.number AS newest, COALESCE(delivered.number, 0) AS delivered
    FROM journal_heads AS head LEFT JOIN unnest($1::smallint[], $2::bigint[]) AS delivered (chain, number) USING (chain)
    WHERE head.number <> COALESCE(delivered.number, 0)
  ), step AS MATERIALIZED (
    SELECT chain, size, LEAST(next, newest - delivered) - size AS growth, COALESCE((
      SELECT id FROM journal_changes AS change WHERE change.chain = behind.chain AND change.number = behind.delivered + size LIMIT 1
    ), 0) AS id
    FROM behind
    CROSS JOIN unnest('{${STEPS.join()}}'::integer[], '{${STEPS.slice(1).join()}}'::integer[]) AS place (size, next)
    WHERE newest > delivered + size
  ), bound AS MATERIALIZED (
    SELECT COALESCE(min(id), ${MAX_ID}) AS last
    FROM (SELECT id, sum(growth) OVER (ORDER BY id) AS grown FROM step) AS passed
    WHERE grown + (SELECT sum(LEAST(newest - delivered, ${STEPS[0]})) FROM behind) > ${COMPARED}
  ), reach AS MATERIALIZED (
    SELECT chain, newest, delivered, last, LEAST(newest - delivered, min(size) FILTER (WHERE id >= last)) AS share
    FROM behind CROSS JOIN bound LEFT JOIN step USING (chain) GROUP BY chain, newest, delivered, last
  )
  SELECT reached AS chain, more, number, id, asked.*
  FROM (
    SELECT reach.chain AS reached, last < ${MAX_ID} AS more, change.*, row_number() OVER follower AS place,
      COALESCE(sum(entries) FILTER (WHERE is_asked) OVER (follower ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
        AS entries_before,
      COALESCE(sum(bytes) FILTER (WHERE is_asked) OVER (follower ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
        AS bytes_before
    FROM reach LEFT JOIN LATERAL (
      SELECT *, $5::text[] IS NULL OR action = ANY ($5) AS is_asked FROM journal_changes AS change
      WHERE change.chain = reach.chain AND change.number > delivered AND change.number <= delivered + share
      ORDER BY change.number LIMIT ${COMPARED}
    ) AS change ON change.id <= last OR (change.chain = $3 AND change.number = delivered + 1)
    WHERE change.id IS NOT NULL OR newest < delivered OR last IN (0, ${MAX_ID})
    WINDOW follower AS (ORDER BY change.id IS NULL DESC, change.chain = $3 AND change.number = delivered + 1 DESC, change.id)
  ) AS change LEFT JOIN LATERAL (SELECT ${CHANGE_USERS} AS user_ids, ${CHANGE_COLUMNS}) AS asked ON is_asked
  WHERE entries_before < $4 AND bytes_before < ${PAGE_BYTES}
  ORDER BY place LIMIT ${MAX_CHANGES}`,
);

/** The number is null if the chain ends before the position, or has lost the changes after it. */
type Row = (Omit<FeedChange, 'number' | 'id'> | Omit<PassedChange, 'number' | 'id'>) & {
  more: boolean;
  number: string | null;
  id: string | null;
};

/** Reads the journal forwards. */
@Injectable()
export class FeedReader {
  constructor(private readonly statements: Statements) {}

  /** The current end of the journal. */
  async present(): Promise<FeedPosition> {
    const rows = await this.statements.query<{ chain: number; number: string }[]>(
      'SELECT chain, number FROM journal_heads WHERE number > 0',
    );
    return { delivered: new Map(rows.map(({ chain, number }) => [chain, BigInt(number)])) };
  }

  /**
   * The changes after a position, in the order of their ids; entries of one user have ids in the order of the changes.
   * A change whose first entries have been returned comes first.
   *
   * @throws ServiceError `query.invalid` if the position does not belong to this journal, for instance because the database was restored from an older backup
   */
  async look(
    { delivered, partial }: FeedPosition,
    { most = MAX_ENTRIES, actions }: FeedRequest = {},
  ): Promise<FeedPart> {
    const numbers = [...delivered.values()].map(String);
    const parameters = [[...delivered.keys()], numbers, partial?.chain ?? NO_CHAIN, most, actions];
    const rows = await this.statements.query<Row[]>(NEXT_CHANGES, parameters);
    const changes = rows.map(toChange);
    requireContinuous(delivered, changes);
    const entries = changes.reduce((sum, { user_ids }) => sum + (user_ids?.length ?? 0), 0);
    const isLarge = changes.reduce((sum, change) => sum + (change.bytes ?? 0), 0) >= PAGE_BYTES;
    const isCut = rows.length === MAX_CHANGES || entries >= most || isLarge;
    return { changes, more: isCut || rows.some(({ more }) => more), isLarge };
  }
}

function toChange({ number, id, ...row }: Row): FeedChange | PassedChange {
  return { ...row, number: BigInt(number ?? 0), id: BigInt(id ?? 0) };
}

/** A chain that ends before the position, or lacks a change after it, is not the chain that the follower has read. */
function requireContinuous(
  delivered: FeedPosition['delivered'],
  changes: readonly (FeedChange | PassedChange)[],
): void {
  const ends = new Map(delivered);
  for (const { chain, number } of changes) {
    if (number !== (ends.get(chain) ?? 0n) + 1n) throw new ServiceError('query.invalid', { args: { name: 'after' } });
    ends.set(chain, number);
  }
}
