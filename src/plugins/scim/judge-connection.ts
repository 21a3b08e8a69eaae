import type { EntityManager } from 'typeorm';
import { type Attribution, type Judged, ServiceError } from '../door';
import { JUDGED_FACTS } from '../../auth/judge-caller';
import type { Connection } from './scim-request';

/** Whether a connection has the token with the hash of this parameter. */
export const hasToken = (parameter: string): string =>
  `(token_hash = ${parameter} OR (previous_token_hash = ${parameter} AND previous_token_expires_at > ` +
  'clock_timestamp()))';

/** A connection during its change. It cannot end before the transaction does. */
export interface JudgedConnection {
  readonly key: string;
  /** New groups live here. */
  readonly workspaceKey: string;
  readonly mayGrantAdministrator: boolean;
  readonly judged: Judged;
}

/**
 * Judges the connection of a change again, instead of `judgeCaller`: its token can be replaced, and it can be deleted,
 * while the body of the request arrives or the change waits for a lock. Call this after the locks of workspaces, groups
 * and users, and before the first write.
 *
 * @throws ServiceError `auth.token_invalid`
 */
export async function judgeConnection(
  manager: EntityManager,
  { id, tokenHash }: Connection,
  attribution: Attribution,
): Promise<JudgedConnection> {
  const [row]: (Omit<JudgedConnection, 'judged'> & Pick<Judged, 'keptAdministrator'>)[] = await manager.query(
    `SELECT key, workspace_key AS "workspaceKey", may_grant_administrator AS "mayGrantAdministrator", ${JUDGED_FACTS}
     FROM scim_connections WHERE id = $1 AND ${hasToken('$2')} FOR KEY SHARE`,
    [id, tokenHash],
  );
  if (!row) throw new ServiceError('auth.token_invalid');
  const { keptAdministrator, ...connection } = row;
  return { ...connection, judged: { ...attribution, keptAdministrator } as Judged };
}
