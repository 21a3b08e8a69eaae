import type { EntityManager } from 'typeorm';
import { LockedRecords } from './locked-records';

/**
 * Users whose rows this transaction has locked. Code that reads their permissions takes this as a parameter, so that no
 * other transaction can change them before the results are written.
 */
export class LockedUsers extends LockedRecords {
  /**
   * Locks the existing users with these keys.
   *
   * @param lock `UPDATE` for a change of ids, so that whoever waits for an id finds that it is gone
   */
  static async lock(
    manager: EntityManager,
    keys: readonly string[],
    lock: 'NO KEY UPDATE' | 'UPDATE' = 'NO KEY UPDATE',
  ): Promise<LockedUsers> {
    return new LockedUsers(
      await manager.query(`SELECT key, id FROM users WHERE key = ANY ($1) ORDER BY key FOR ${lock}`, [keys]),
    );
  }
}
