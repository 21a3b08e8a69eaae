import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { type Attribution, Journal, judgeCaller, lockExisting } from '../door';
import { factsOf } from './connections-reader';
import { ScimConnection } from './scim-connection.entity';
import { CONNECTION_ACTIONS } from './actions';

/** A fixed id, so that the examples of the documentation work. */
export const DEMO_CONNECTION = '01a1f88a-7041-7712-bacb-000000000002';
const WORKSPACE = 'borealis';
const BYTES_OF_HASH = 32;

/** Adds a connection to the demo directory. It has no token: what is kept as the hash of one is random. */
export async function loadDemoConnection(manager: EntityManager, attribution: Attribution): Promise<void> {
  const workspaces = await lockExisting(manager, 'workspaces', [WORKSPACE]);
  const [workspaceKey = ''] = workspaces.keysOf([WORKSPACE]);
  const made = { id: DEMO_CONNECTION, name: 'Keycloak', idFrom: 'externalId', mayGrantAdministrator: false } as const;
  await manager.insert(ScimConnection, { ...made, workspaceKey, tokenHash: randomBytes(BYTES_OF_HASH) });
  const judged = await judgeCaller(manager, attribution);
  const after = factsOf({ ...made, workspace: WORKSPACE, workspaces: [] });
  await new Journal().append(manager, judged, [
    CONNECTION_ACTIONS.entry('scim_connection.created', { workspaces: [WORKSPACE], after }),
  ]);
  // Sealed here, and with a position of the first month, so that the ids of later entries are always the same.
  await manager.query('SELECT seal_journal(true, 0)');
}
