import type { EntityManager } from 'typeorm';
import { LockedRecords } from './locked-records';

/**
 * Users whose rows this transaction holds. Code that reads what users hold takes this as a parameter, so that no other
 * transaction can change it before the consequences are written.
 */
export class LockedUsers extends LockedRecords {
  /** Locks those of these users that exist. Ids must be well-formed. */
  static async lock(manager: EntityManager, ids: readonly string[]): Promise<LockedUsers> {
    return new LockedUsers(
      await manager.query('SELECT key, id FROM users WHERE id = ANY ($1) ORDER BY key FOR NO KEY UPDATE', [ids]),
    );
  }

  /**
   * Locks everyone who is in a workspace or a group. Nobody can join while the place itself is locked, so lock it in an
   * earlier statement.
   */
  static async lockMembers(manager: EntityManager, place: 'workspace' | 'group', key: string): Promise<LockedUsers> {
    return new LockedUsers(
      await manager.query(
        `SELECT key, id FROM users WHERE key IN (SELECT user_key FROM ${place}_memberships WHERE ${place}_key = $1)
         ORDER BY key FOR NO KEY UPDATE`,
        [key],
      ),
    );
  }
}
