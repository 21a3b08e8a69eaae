import type { EntityManager } from 'typeorm';
import { inOrderOfBytes } from './byte-order';

interface LockedRow {
  key: string;
  id: string;
}

/**
 * Records of one kind whose rows this transaction has locked, as the locking statement found them. For this
 * transaction, no other record exists, even if another transaction has created one since.
 *
 * All transactions lock records in one global order, so that they cannot deadlock over them: permissions, workspaces,
 * groups, users, each in the order of their keys. Workspaces come before users, because a change to the permissions of
 * a workspace can know its members only once nobody can join.
 *
 * The administrator guard comes last.
 */
export class LockedRecords {
  private readonly keysById: ReadonlyMap<string, string>;

  constructor(rows: readonly LockedRow[]) {
    this.keysById = new Map(rows.map(({ id, key }) => [id, key]));
  }

  /** In the same order as {@link keys}. */
  get ids(): string[] {
    return [...this.keysById.keys()];
  }

  /** In the order of answers. */
  get sortedIds(): string[] {
    return inOrderOfBytes(this.ids, (id) => id);
  }

  get keys(): string[] {
    return [...this.keysById.values()];
  }

  has(id: string): boolean {
    return this.keysById.has(id);
  }

  /** The keys of these records. Ids that are not locked are skipped. */
  keysOf(ids: Iterable<string>): string[] {
    return [...new Set(ids)].flatMap((id) => this.keysById.get(id) ?? []);
  }
}

/**
 * Locks these records until the transaction ends, against deletion. While they are locked, nobody can change what they
 * grant or permit either. Lock permissions first, then workspaces, then groups.
 */
export async function lockExisting(
  manager: EntityManager,
  records: 'permissions' | 'workspaces' | 'groups',
  ids: readonly string[],
): Promise<LockedRecords> {
  if (ids.length === 0) return new LockedRecords([]);
  return new LockedRecords(
    await manager.query(`SELECT key, id FROM ${records} WHERE id = ANY ($1) ORDER BY key FOR KEY SHARE`, [ids]),
  );
}
