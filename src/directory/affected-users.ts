import type { EntityManager } from 'typeorm';
import type { Actor } from '../contract/journal';
import { LIMITS } from '../contract/limits';
import { membershipHasEnded } from './current-status';
import { LockedUsers } from './locked-users';

/**
 * The number of users that one assignment may name. Statements about that many users stay far below the statement
 * timeout.
 */
const PART = LIMITS.users;

interface Row {
  key: string;
  id: string;
}

/** A query for the keys of users. */
export interface KeysQuery {
  statement: string;
  parameters: unknown[];
}

/**
 * All users whom one change affects, such as the members of a workspace, locked. There can be a million, so they are
 * locked and returned in parts, and only one part is in memory. A cursor keeps the users that its first statement
 * found, so first lock everything that would let users join.
 */
export class AffectedUsers {
  private constructor(
    private readonly manager: EntityManager,
    /** All users, if they fit into one part. */
    private readonly all: LockedUsers | undefined,
    /** Whether the caller is among them. */
    readonly includesCaller: boolean,
  ) {}

  /** @param keys the query for the users, such as {@link membersOf} */
  static async lock(manager: EntityManager, keys: KeysQuery, caller: Actor): Promise<AffectedUsers> {
    await manager.query(
      `DECLARE affected_users SCROLL CURSOR FOR SELECT key, id FROM users WHERE key IN (${keys.statement}) ` +
        'ORDER BY key',
      keys.parameters,
    );
    let includesCaller = false;
    for (let parts = 1; ; parts++) {
      const found = await fetchPart(manager);
      const users = await LockedUsers.lock(
        manager,
        found.map(({ key }) => key),
      );
      includesCaller ||= users.has(caller.id);
      if (found.length === PART) continue;
      if (parts > 1) return new AffectedUsers(manager, undefined, includesCaller);
      await close(manager);
      return new AffectedUsers(manager, users, includesCaller);
    }
  }

  /** Returns them once, in the order of their keys. */
  async *parts(): AsyncGenerator<LockedUsers, void, undefined> {
    if (this.all) {
      if (this.all.keys.length > 0) yield this.all;
      return;
    }
    await this.manager.query('MOVE ABSOLUTE 0 IN affected_users');
    for (;;) {
      const found = await fetchPart(this.manager);
      if (found.length === 0) break;
      yield new LockedUsers(found);
    }
    await close(this.manager);
  }
}

/** All members of a workspace or group. */
export function membersOf(place: 'workspace' | 'group', key: string): KeysQuery {
  return { statement: `SELECT user_key FROM ${place}_memberships WHERE ${place}_key = $1`, parameters: [key] };
}

/** Those members whose membership has not ended, even if nothing has carried out its end yet. */
export function presentIn(place: 'workspace' | 'group', key: string): KeysQuery {
  const { statement, parameters } = membersOf(place, key);
  return { statement: `${statement} AND NOT ${membershipHasEnded(`${place}_memberships`)}`, parameters };
}

/** The ids of those of these users whom a query finds. */
export async function idsAmong(
  manager: EntityManager,
  users: LockedUsers,
  { statement, parameters }: KeysQuery,
): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(
    `SELECT id FROM users WHERE key IN (${statement}) AND key = ANY ($${parameters.length + 1})`,
    [...parameters, users.keys],
  );
  return rows.map(({ id }) => id);
}

/** All users who hold a permission directly or through a workspace or group. */
export function holdersOf(permissionKey: string): KeysQuery {
  return {
    statement: 'SELECT DISTINCT user_key FROM held_permissions() WHERE permission_key = $1',
    parameters: [permissionKey],
  };
}

/**
 * As {@link holdersOf}, for a change: with those whose membership has ended, until that is carried out. Types follow
 * from the rows, and the end of the only administrator has not passed.
 */
export function everyHolderOf(permissionKey: string): KeysQuery {
  const through = (place: 'workspace' | 'group') =>
    `SELECT m.user_key FROM ${place}_permissions AS h JOIN ${place}_memberships AS m USING (${place}_key)
     WHERE h.permission_key = $1`;
  return {
    statement: `SELECT user_key FROM user_permissions WHERE permission_key = $1
      UNION ALL ${through('workspace')} UNION ALL ${through('group')}`,
    parameters: [permissionKey],
  };
}

function fetchPart(manager: EntityManager): Promise<Row[]> {
  return manager.query(`FETCH ${PART} FROM affected_users`);
}

async function close(manager: EntityManager): Promise<void> {
  await manager.query('CLOSE affected_users');
}
