import { Injectable } from '@nestjs/common';
import { ServiceError } from '../contract/errors';
import { prepared } from '../database/prepared-statements';
import { Statements } from '../database/statements';
import { CHANGE_COLUMNS, CHANGE_USERS, type ChangeRow } from './change-row';
import type { FeedPosition } from './feed-cursor';

/** A change, with its place in the chains. */
export interface FeedChange extends ChangeRow {
  chain: number;
  number: bigint;
  id: bigint;
  /** Null for a change without a user, which has one entry. */
  user_ids: (string | null)[];
}

/** The result of one poll. */
export interface FeedPart {
  /** In the order for followers. */
  changes: FeedChange[];
  /** Whether more changes follow. */
  more: boolean;
}

/** The maximum number of changes that one poll reads, but at least one of each chain that has any. */
const LOOK = 256;

const MAX_ID = 2n ** 63n - 1n;

/**
 * The next changes of each chain that has any, all in one snapshot. Chains share the limit, so that none is read far
 * ahead of the others.
 */
const NEXT_CHANGES = prepared(
  'next_changes',
  `SELECT behind.chain, behind.newest > behind.told + share AS more, change.number, change.id,
    ${CHANGE_USERS} AS user_ids, ${CHANGE_COLUMNS}
  FROM (
    SELECT head.chain, head.number AS newest, COALESCE(told.number, 0) AS told,
      GREATEST(${LOOK} / count(*) OVER (), 1) AS share
    FROM journal_heads AS head LEFT JOIN unnest($1::smallint[], $2::bigint[]) AS told (chain, number) USING (chain)
    WHERE head.number <> COALESCE(told.number, 0)
  ) AS behind
  LEFT JOIN LATERAL (
    SELECT * FROM journal_changes AS change
    WHERE change.chain = behind.chain AND change.number > behind.told AND change.number <= LEAST(behind.told + share, newest)
  ) AS change ON true
  ORDER BY change.id`,
);

/** The number is null if the chain ends before the position, or has lost the changes after it. */
interface Row extends Omit<FeedChange, 'number' | 'id'> {
  more: boolean;
  number: string | null;
  id: string | null;
}

/** Reads the journal forwards. It never uses a replica, which may lag behind a follower's position. */
@Injectable()
export class FeedReader {
  constructor(private readonly statements: Statements) {}

  /** The current end of the journal. */
  async present(): Promise<FeedPosition> {
    const rows = await this.statements.query<{ chain: number; number: string }[]>(
      'SELECT chain, number FROM journal_heads WHERE number > 0',
    );
    return { told: new Map(rows.map(({ chain, number }) => [chain, BigInt(number)])) };
  }

  /**
   * The changes after a position, in the order of their ids; entries of one user have ids in the order of the changes.
   * A chain that was read only in part can contain lower ids than other chains, so changes beyond its last read change
   * wait for the next poll.
   *
   * @throws ServiceError `query.invalid` if the position does not belong to this journal, for instance because the database was restored from an older backup
   */
  async look({ told, partial }: FeedPosition): Promise<FeedPart> {
    const rows = await this.statements.query<Row[]>(NEXT_CHANGES, [[...told.keys()], [...told.values()].map(String)]);
    const changes = rows.map(toChange);
    requireContinuous(told, changes);
    const lastIds = new Map(changes.map(({ chain, id }) => [chain, id]));
    const unread = rows.filter(({ more }) => more).map(({ chain }) => lastIds.get(chain) ?? 0n);
    const end = unread.reduce((lowest, id) => (id < lowest ? id : lowest), MAX_ID);
    const begun = changes.filter(({ chain }) => chain === partial?.chain).slice(0, 1);
    const rest = changes.filter((change) => change.id <= end && !begun.includes(change));
    return { changes: [...begun, ...rest], more: unread.length > 0 };
  }
}

function toChange({ number, id, ...row }: Row): FeedChange {
  return { ...row, number: BigInt(number ?? 0), id: BigInt(id ?? 0) };
}

/** A chain that ends before the position, or lacks a change after it, is not the chain that the follower has read. */
function requireContinuous(told: FeedPosition['told'], changes: readonly FeedChange[]): void {
  const ends = new Map(told);
  for (const { chain, number } of changes) {
    if (number !== (ends.get(chain) ?? 0n) + 1n) throw new ServiceError('query.invalid', { args: { name: 'after' } });
    ends.set(chain, number);
  }
}
