import type { DataSource } from 'typeorm';
import type { Demo } from '../door';
import type { DirectoryRecord } from '../../contract/directory';
import type { UserTypeService } from '../../users/user-type/user-type.service';
import { makeDemoChanges } from '../../users/demo-change';
import { importDirectory } from './import-directory';

const RECORDS: DirectoryRecord[] = [
  { permission: { id: 'content.read', description: 'Read content', grants: 'member' } },
  { permission: { id: 'content.edit', description: 'Edit content', grants: 'member' } },
  { permission: { id: 'workspace.manage', description: 'Manage a workspace', grants: 'manager' } },
  { permission: { id: 'users.administer', description: 'Administer users', grants: 'administrator' } },

  { workspace: { id: 'atlas', name: 'Atlas', permissions: ['content.read'] } },
  { workspace: { id: 'borealis', name: 'Borealis', permissions: ['content.read'] } },
  // Has no permissions of its own: a user who is only in Cosmos stays a guest.
  { workspace: { id: 'cosmos', name: 'Cosmos', permissions: [] } },

  { group: { id: 'atlas-editors', name: 'Editors', workspace: 'atlas', permissions: ['content.edit'] } },
  { group: { id: 'atlas-managers', name: 'Managers', workspace: 'atlas', permissions: ['workspace.manage'] } },
  { group: { id: 'borealis-editors', name: 'Editors', workspace: 'borealis', permissions: ['content.edit'] } },
  { group: { id: 'borealis-managers', name: 'Managers', workspace: 'borealis', permissions: ['workspace.manage'] } },
  { group: { id: 'cosmos-admins', name: 'Administrators', workspace: 'cosmos', permissions: ['users.administer'] } },

  // Each type has another source: ada's is direct, zoe's and ben's come from a group, cyd's from a workspace.
  person('ada', 'Ada', { permissions: ['users.administer'], workspaces: ['atlas'], groups: ['atlas-editors'] }),
  person('zoe', 'Zoe', { workspaces: ['cosmos'], groups: ['cosmos-admins'] }),
  person('ben', 'Ben', { workspaces: ['atlas'], groups: ['atlas-managers'] }),
  person('cyd', 'Cyd', { workspaces: ['borealis'] }),
  person('dee', 'Dee', {}),
  person('eve', 'Eve', { status: 'inactive', workspaces: ['atlas'], groups: ['atlas-editors'] }),
];

/** A small directory for trying the service, as the lines of an import. */
export const DEMO_DIRECTORY: readonly string[] = RECORDS.map((record) => JSON.stringify(record));

export const DEMO_ADMINISTRATORS = ['ada', 'zoe'];

/** The actor of its journal entries. */
const ACT = { actor: { kind: 'system', id: 'demo directory' } } as const;

/**
 * Loads the demo directory and what other plugins add to it in one transaction, and makes two changes, unless the
 * directory has records already: it would change those with its own ids.
 *
 * @returns whether it was loaded
 */
export async function loadDemoDirectory(
  dataSource: DataSource,
  userTypes: UserTypeService,
  demos: readonly Demo[],
): Promise<boolean> {
  const records: unknown[] = await dataSource.query(`
    SELECT WHERE EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM workspaces) OR EXISTS (SELECT FROM permissions)`);
  if (records.length > 0) return false;
  await importDirectory(dataSource, DEMO_DIRECTORY, ACT, {
    userTypes,
    finish: async (manager) => {
      for (const demo of demos) await demo(manager, ACT);
    },
  });
  await makeDemoChanges(dataSource, ACT);
  return true;
}

/** Whether the directory started as the demo directory. */
export async function beganAsDemo(dataSource: DataSource): Promise<boolean> {
  const [first]: { actor_kind: string; actor_id: string }[] = await dataSource.query(
    'SELECT actor_kind, actor_id FROM journal_changes ORDER BY position LIMIT 1',
  );
  return first?.actor_kind === ACT.actor.kind && first.actor_id === ACT.actor.id;
}

interface PersonFacts {
  status?: 'active' | 'inactive';
  permissions?: string[];
  workspaces?: string[];
  groups?: string[];
}

function person(id: string, displayName: string, facts: PersonFacts): DirectoryRecord {
  const { status = 'active', permissions = [], workspaces = [], groups = [] } = facts;
  return { user: { id, email: `${id}@example.com`, displayName, status, permissions, workspaces, groups } };
}
