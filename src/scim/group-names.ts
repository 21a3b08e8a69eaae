import type { EntityManager } from 'typeorm';
import type { Connection } from './current-connection';
import { comparableName } from './comparable-names';
import { FROM_GROUPS } from './provisioned-group';
import { ScimError } from './scim-error';

/**
 * The names of the groups that a connection sees are distinct: providers find groups by name. Names made by hand can be
 * equal.
 *
 * @param own the key of the group that gets the name
 * @throws ScimError `uniqueness`
 */
export async function requireFreeName(
  manager: EntityManager,
  { key }: Connection,
  name: string,
  own = '0',
): Promise<void> {
  const others: unknown[] = await manager.query(
    `SELECT FROM ${FROM_GROUPS}
     WHERE c.key = $1 AND ${comparableName('g.name')} = fold_case($2) AND g.key <> $3 LIMIT 1`,
    [key, name, own],
  );
  if (others.length > 0) throw new ScimError('uniqueness', 'Another group has this displayName.');
}
