interface LockedRow {
  key: string;
  id: string;
}

/**
 * Records of one kind whose rows this transaction holds, as the statement that locked them found them. A record that is not
 * among them does not exist for this transaction, even if another one has created it since.
 *
 * Every transaction locks in one global order, so that none waits for another in a circle: permissions, workspaces, groups,
 * users, each in the order of their keys, then the administrator guard, then the journal. Workspaces come before users
 * because a change to what a workspace is permitted can know whom it affects only once nobody can join.
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

  /** In the order in which records are told. */
  get sortedIds(): string[] {
    return this.ids.sort(inOrderOfBytes);
  }

  get keys(): string[] {
    return [...this.keysById.values()];
  }

  has(id: string): boolean {
    return this.keysById.has(id);
  }

  /** The keys of these records. Ids of records that are not locked are left out. */
  keysOf(ids: Iterable<string>): string[] {
    return [...new Set(ids)].flatMap((id) => this.keysById.get(id) ?? []);
  }
}

/** As the database compares ids (collation C): JavaScript would compare UTF-16 units, which puts some characters elsewhere. */
function inOrderOfBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
