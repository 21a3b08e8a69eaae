import type { EntityManager } from 'typeorm';

/**
 * Users whose rows this transaction holds. Whoever reads what users hold must have this in hand, so that no other
 * transaction can change it between the reading and the writing of what follows from it.
 *
 * Rows are locked in one global order, which every transaction keeps so that none waits for another in a circle:
 * permissions, workspaces, groups, users, each by id, and the administrator guard last. Workspaces come before users because
 * a change to what a workspace is permitted can know whom it affects only once nobody can join.
 */
export class LockedUsers {
  private constructor(private readonly known: ReadonlySet<string>) {}

  /** Waits until all of these users that exist belong to this transaction. Ids must be well-formed. */
  static async lock(manager: EntityManager, ids: readonly string[]): Promise<LockedUsers> {
    const rows: { id: string }[] = await manager.query(
      `SELECT id FROM users WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`,
      [ids],
    );
    return new LockedUsers(new Set(rows.map(({ id }) => id)));
  }

  get ids(): string[] {
    return [...this.known];
  }

  has(id: string): boolean {
    return this.known.has(id);
  }
}
