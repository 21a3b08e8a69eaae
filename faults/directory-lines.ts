const GROUPS_PER_WORKSPACE = 10;

/** A directory to import: users in one group each, in workspaces of ten groups. Groups make managers, and workspaces members. */
export function* directoryLines(users: number, groups: number): Generator<string> {
  const line = (record: object) => `${JSON.stringify(record)}\n`;
  yield line({ permission: { id: 'reading', grants: 'member' } });
  yield line({ permission: { id: 'leading', grants: 'manager' } });
  for (let w = 0; w * GROUPS_PER_WORKSPACE < groups; w++)
    yield line({ workspace: { id: `workspace-${w}`, name: `Workspace ${w}`, permissions: ['reading'] } });
  for (let g = 0; g < groups; g++) {
    const workspace = `workspace-${Math.floor(g / GROUPS_PER_WORKSPACE)}`;
    yield line({ group: { id: `group-${g}`, name: `Group ${g}`, workspace, permissions: ['leading'] } });
  }
  for (let u = 0; u < users; u++) {
    const group = u % groups;
    const workspaces = [`workspace-${Math.floor(group / GROUPS_PER_WORKSPACE)}`];
    yield line({ user: { id: `user-${u}`, email: `user-${u}@example.com`, workspaces, groups: [`group-${group}`] } });
  }
}
