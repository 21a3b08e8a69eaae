import type { EntityManager } from 'typeorm';
import type { UserTypeService } from '../users/user-type/user-type.service';
import type { ImportProgress } from './import-progress';
import { setLocally } from './import-session';

/** The number of users whose types are derived at once, so that memory stays bounded. */
export const TYPE_CHUNK = 10_000;

/**
 * A chunk may demote the last administrator before the next chunk promotes another, so this is checked once, at the
 * end.
 */
export async function recomputeTypes(
  manager: EntityManager,
  userTypes: UserTypeService,
  progress: ImportProgress,
): Promise<number> {
  let written = 0;
  // A kept plan may be from a time when the tables were small. Everywhere else, plans must be kept: planning took most
  // of the time of the foreign keys, which are checked row by row.
  await setLocally(manager, 'plan_cache_mode', 'force_custom_plan');
  for (let last: string | null = ''; last !== null;) {
    // `lockAffected` has locked all of them, except the new ones, which no other transaction sees.
    const [chunk]: [{ last: string | null; keys: string[] | null }] = await manager.query(
      `SELECT max(id) AS last, array_agg(key) AS keys
       FROM (SELECT key, id FROM affected_users JOIN users USING (id) WHERE id > $1
         ORDER BY id LIMIT ${TYPE_CHUNK}) AS chunk`,
      [last],
    );
    written += (await userTypes.recompute(manager, { keys: chunk.keys ?? [] })).length;
    last = chunk.last;
    progress.step();
  }
  await setLocally(manager, 'plan_cache_mode', 'auto');
  return written;
}
