import type { EntityManager } from 'typeorm';
import type { Actor } from '../contract/journal';
import { LIMITS } from '../contract/limits';
import { LockedUsers } from './locked-users';

/** As many users as one assignment may name. No statement about so many comes near the bound on the time of a statement. */
const PART = LIMITS.users;

interface Row {
  key: string;
  id: string;
}

/** A query for the keys of users. */
export interface KeysQuery {
  statement: string;
  parameters: string[];
}

/**
 * Everyone whom one change affects, such as the members of a workspace, all of them locked. There can be a million, so they
 * are locked and handed out in parts, and only one part is in memory. A cursor keeps whom the statement found that began it;
 * lock whatever lets users join beforehand.
 */
export class AffectedUsers {
  private constructor(
    private readonly manager: EntityManager,
    /** All of them, if they are one part. */
    private readonly all: LockedUsers | undefined,
    /** Whether the caller is one of them. */
    readonly includesCaller: boolean,
  ) {}

  /** @param keys whom, such as {@link membersOf} */
  static async lock(manager: EntityManager, keys: KeysQuery, caller: Actor): Promise<AffectedUsers> {
    await manager.query(
      `DECLARE affected_users SCROLL CURSOR FOR SELECT key, id FROM users WHERE key IN (${keys.statement}) ORDER BY key`,
      keys.parameters,
    );
    let includesCaller = false;
    for (let parts = 1; ; parts++) {
      const found = await fetchPart(manager);
      const users = await LockedUsers.lockKeys(
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

  /** Hands them out once, in the order of their keys. */
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

/** Everyone in a workspace or a group. */
export function membersOf(place: 'workspace' | 'group', key: string): KeysQuery {
  return { statement: `SELECT user_key FROM ${place}_memberships WHERE ${place}_key = $1`, parameters: [key] };
}

/** Everyone who holds a permission in any way. */
export function holdersOf(permissionKey: string): KeysQuery {
  const held = (holder: string) => `${holder}_permissions WHERE permission_key = $1`;
  const statement = `
    SELECT user_key FROM ${held('user')}
    UNION SELECT user_key FROM workspace_memberships WHERE workspace_key IN (SELECT workspace_key FROM ${held('workspace')})
    UNION SELECT user_key FROM group_memberships WHERE group_key IN (SELECT group_key FROM ${held('group')})`;
  return { statement, parameters: [permissionKey] };
}

function fetchPart(manager: EntityManager): Promise<Row[]> {
  return manager.query(`FETCH ${PART} FROM affected_users`);
}

async function close(manager: EntityManager): Promise<void> {
  await manager.query('CLOSE affected_users');
}
