import type { EntityManager } from 'typeorm';
import { type Judged, ServiceError } from '../door';
import { requireAnAdministrator } from '../../auth/last-administrator';
import { refusalOf } from '../../database/refusals';
import { ImportRefused } from './import-error';

/** @throws ImportRefused if no active administrator remains */
export async function requireLeft(manager: EntityManager, judged: Judged): Promise<void> {
  const [{ count }]: [{ count: number }] = await manager.query(`
    SELECT count(*)::integer AS count FROM users_before AS before JOIN users USING (id)
    WHERE before.fields ->> 'status' = 'active' AND users.status = 'inactive'`);
  try {
    await requireAnAdministrator(manager, judged);
  } catch (error) {
    if (refusalOf(error)?.code !== 'directory.last_administrator') throw error;
    const deactivations = count === 0 ? '' : `deactivate ${count} ${count === 1 ? 'user' : 'users'}, and `;
    const said = `This would ${deactivations}leave the directory without an active administrator`;
    throw new ImportRefused(said, new ServiceError('directory.last_administrator'), { cause: error });
  }
}
