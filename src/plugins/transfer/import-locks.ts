import type { EntityManager } from 'typeorm';
import { OvertakenError } from '@user-administration/postgres';

/**
 * Locks the rows that the staged file names or can affect: `sql/lock_import.sql`, which fills `users_affected`.
 *
 * @param affectsAll whether the types of all users may change
 * @returns the number of locked users
 * @throws OvertakenError
 */
export async function lockAffected(manager: EntityManager, affectsAll: boolean): Promise<number> {
  const [{ overtaken, users }]: [{ overtaken: string | null; users: number }] = await manager.query(
    'SELECT overtaken, users FROM lock_import($1)',
    [affectsAll],
  );
  if (overtaken !== null) throw new OvertakenError(`another transaction changed a ${overtaken} of the import`);
  return users;
}
