import type { EntityManager } from 'typeorm';
import type { UserTypeService } from '../../users/user-type/user-type.service';
import type { ImportProgress } from './import-progress';

/** The number of users whose types are derived at once, so that memory stays bounded. */
export const TYPE_CHUNK = 10_000;

/**
 * A chunk may demote the last administrator before the next chunk promotes another, so this is checked once, at the
 * end.
 *
 * @returns the number of types that were written
 */
export async function recomputeTypes(
  manager: EntityManager,
  { rule }: UserTypeService,
  progress: ImportProgress,
): Promise<number> {
  let written = 0;
  for (let last: string | null = ''; last !== null;) {
    const [part]: [{ last: string | null; written: number }] = await manager.query(
      'SELECT last_id AS last, written FROM import_types($1, $2, $3)',
      [last, TYPE_CHUNK, rule.query],
    );
    written += part.written;
    last = part.last;
    progress.step();
  }
  return written;
}
