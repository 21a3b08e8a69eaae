import type { EntityManager } from 'typeorm';

/** Holds these workspaces as they are until the transaction ends: none can vanish, nor change what it is permitted. */
export async function holdWorkspaces(manager: EntityManager, ids: readonly string[]): Promise<Set<string>> {
  const rows: { id: string }[] = await manager.query(
    'SELECT id FROM workspaces WHERE id = ANY($1) ORDER BY id FOR KEY SHARE',
    [ids],
  );
  return new Set(rows.map((row) => row.id));
}
