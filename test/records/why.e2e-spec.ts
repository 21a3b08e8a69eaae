import { DEMO_DIRECTORY } from '../../src/plugins/transfer/demo-directory';
import { importDirectory } from '../../src/plugins/transfer/import-directory';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';
import type { HeldPermissionsDto } from '../../src/users/dto/held-permissions.dto';
import { useTestService } from '../support/test-service';
import { call, type RecordRequest } from '../support/record-calls';

const service = useTestService();
const IMPORT = { kind: 'system', id: 'test' } as const;
const AT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const BY_IMPORT = { since: AT, actor: IMPORT, reason: null };
const BY_ADA = { since: AT, actor: { kind: 'user', id: 'ada' }, reason: null };
/** Written past the service, so that the journal does not know the change. */
const BY_NOBODY = { since: AT, actor: null, reason: null };
const OLDER = { since: null, actor: null, reason: null };

beforeEach(async () => {
  await service.directory.clear();
  const options = { userTypes: new UserTypeService(new UserTypeRule()) };
  await importDirectory(service.dataSource, DEMO_DIRECTORY, { actor: IMPORT }, options);
});

const send = (method: string, path: string, request?: RecordRequest) => call(service, method, path, request);
const why = async (id: string) => (await send('GET', `/api/users/${id}/permissions`)).body as HeldPermissionsDto;

async function sourcesOf(user: string, permission: string): Promise<unknown> {
  return (await why(user)).permissions.find(({ id }) => id === permission)?.sources;
}

describe('GET /api/users/{id}/permissions', () => {
  it('returns every permission with all its sources and their origins', async () => {
    expect(await why('ben')).toEqual({
      type: 'manager',
      next: null,
      permissions: [
        {
          id: 'content.read',
          grants: 'member',
          earnsType: false,
          sources: [{ kind: 'workspace', id: 'atlas', ...BY_IMPORT }],
        },
        {
          id: 'workspace.manage',
          grants: 'manager',
          earnsType: true,
          sources: [{ kind: 'group', id: 'atlas-managers', workspace: 'atlas', ...BY_IMPORT }],
        },
      ],
    });
    expect(await why('dee')).toEqual({ type: 'guest', next: null, permissions: [] });
  });

  it('orders sources: the user, then workspaces, then groups, each by id', async () => {
    await send('PATCH', '/api/users/dee', { body: { permissions: ['content.read'] } });
    await send('PATCH', '/api/workspaces/cosmos', { body: { permissions: ['content.read'] } });
    await send('PATCH', '/api/groups/atlas-editors', { body: { permissions: ['content.read'] } });
    await send('POST', '/api/users/workspace-assign', {
      body: { userIds: ['dee', 'cyd'], workspaces: ['cosmos', 'atlas'], groups: ['atlas-editors'] },
    });
    expect(await sourcesOf('dee', 'content.read')).toEqual([
      { kind: 'user', ...BY_ADA },
      { kind: 'workspace', id: 'atlas', ...BY_ADA },
      { kind: 'workspace', id: 'cosmos', ...BY_ADA },
      { kind: 'group', id: 'atlas-editors', workspace: 'atlas', ...BY_ADA },
    ]);
  });

  it('names as origin the later of joining the place and permitting the place', async () => {
    const joined = await sourcesOf('cyd', 'content.read');
    expect(joined).toEqual([{ kind: 'workspace', id: 'borealis', ...BY_IMPORT }]);
    await send('PATCH', '/api/workspaces/borealis', { body: { permissions: [] } });
    await send('PATCH', '/api/workspaces/borealis', { body: { permissions: ['content.read'] } });
    await send('PATCH', '/api/workspaces/borealis', { body: { permissions: ['content.read', 'content.edit'] } });
    expect(await sourcesOf('cyd', 'content.read')).toEqual([{ kind: 'workspace', id: 'borealis', ...BY_ADA }]);
    const token = service.tokenOf('zoe');
    await send('POST', '/api/users/workspace-unassign', { body: { userIds: ['cyd'], workspaces: ['borealis'] } });
    await send('POST', '/api/users/workspace-assign', {
      body: { userIds: ['cyd'], workspaces: ['borealis'] },
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await sourcesOf('cyd', 'content.read')).toEqual([
      { kind: 'workspace', id: 'borealis', since: AT, actor: { kind: 'user', id: 'zoe' }, reason: null },
    ]);
  });

  it('follows the order of the changes, although the clock of the database was set back between them', async () => {
    const places = { body: { userIds: ['dee'], workspaces: ['atlas'] } };
    const { dataSource } = service;
    await dataSource.query(`
      CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
        'SELECT pg_catalog.clock_timestamp() + interval ''1 hour''';
      ALTER FUNCTION journal_append_changes SET search_path = public, pg_catalog`);
    try {
      await send('POST', '/api/users/workspace-assign', places);
    } finally {
      await dataSource.query(
        'ALTER FUNCTION journal_append_changes RESET search_path; DROP FUNCTION public.clock_timestamp()',
      );
    }
    await send('POST', '/api/users/workspace-unassign', { ...places, caller: 'zoe' });
    await send('POST', '/api/users/workspace-assign', { ...places, caller: 'zoe' });
    expect(await sourcesOf('dee', 'content.read')).toEqual([
      { kind: 'workspace', id: 'atlas', since: AT, actor: { kind: 'user', id: 'zoe' }, reason: null },
    ]);
  });

  it('has null for what is older than the numbers of changes, and of several changes tells the later', async () => {
    await service.dataSource.query('UPDATE workspace_memberships SET since = NULL, change = NULL');
    await service.dataSource.query('UPDATE workspace_permissions SET since = NULL, change = NULL');
    expect(await sourcesOf('ben', 'content.read')).toEqual([{ kind: 'workspace', id: 'atlas', ...OLDER }]);
    await send('PATCH', '/api/workspaces/atlas', { body: { permissions: [] } });
    await send('PATCH', '/api/workspaces/atlas', { body: { permissions: ['content.read'] } });
    expect(await sourcesOf('ben', 'content.read')).toEqual([{ kind: 'workspace', id: 'atlas', ...BY_ADA }]);
  });

  it('tells since when, but not by whom, once the months of the journal are gone', async () => {
    const before = (await sourcesOf('ben', 'content.read')) as { since: string }[];
    // A month is detached and dropped, which no trigger hears of.
    await service.dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL session_replication_role = replica');
      await manager.query('TRUNCATE journal_changes, journal_subjects, journal_personal');
    });
    expect(await sourcesOf('ben', 'content.read')).toEqual([
      { kind: 'workspace', id: 'atlas', since: before[0]?.since, actor: null, reason: null },
    ]);
  });

  it('keeps its origin when an assignment extends it, and when it is assigned again', async () => {
    const places = { userIds: ['ben'], workspaces: ['atlas'] };
    const end = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    await send('POST', '/api/users/workspace-unassign', { body: places });
    await send('POST', '/api/users/workspace-assign', { body: { ...places, until: end(1), reason: 'first' } });
    const [first] = (await sourcesOf('ben', 'content.read')) as object[];
    expect(first).toMatchObject({ reason: 'first' });
    await send('POST', '/api/users/workspace-assign', { body: { ...places, until: end(2), reason: 'second' } });
    await send('POST', '/api/users/workspace-assign', { body: { ...places, reason: 'third' } });
    const { until: _, ...origin } = first as { until: string };
    expect(await sourcesOf('ben', 'content.read')).toEqual([origin]);
  });

  it('has nobody as origin if the journal does not know the change', async () => {
    const { dataSource, directory } = service;
    await directory.user('flo', { permissions: ['content.edit'] });
    await directory.member('flo', 'atlas');
    expect(await why('flo')).toMatchObject({
      permissions: [
        { id: 'content.edit', sources: [{ kind: 'user', ...BY_NOBODY }] },
        { id: 'content.read', sources: [{ kind: 'workspace', id: 'atlas', ...BY_NOBODY }] },
      ],
    });
    await send('POST', '/api/users/workspace-unassign', { body: { userIds: ['ben'], workspaces: ['atlas'] } });
    await directory.member('ben', 'atlas');
    expect(await sourcesOf('ben', 'content.read')).toEqual([{ kind: 'workspace', id: 'atlas', ...BY_NOBODY }]);
    await dataSource.query(`INSERT INTO workspace_permissions (workspace_key, permission_key)
      SELECT w.key, p.key FROM workspaces AS w, permissions AS p WHERE w.id = 'cosmos' AND p.id = 'content.read'`);
    expect(await sourcesOf('zoe', 'content.read')).toEqual([{ kind: 'workspace', id: 'cosmos', ...BY_NOBODY }]);
  });

  it('ignores an earlier user with the same id', async () => {
    await send('DELETE', '/api/users/ben');
    await send('POST', '/api/users', { body: { id: 'ben', workspaces: ['atlas'] } });
    await service.directory.permission('extra', 'guest');
    expect(await why('ben')).toMatchObject({
      type: 'member',
      permissions: [{ id: 'content.read', earnsType: true, sources: [{ kind: 'workspace', id: 'atlas', ...BY_ADA }] }],
    });
  });

  it('ignores what the journal has of an earlier user or group with the same id', async () => {
    const { dataSource, directory } = service;
    await send('DELETE', '/api/users/ben');
    await send('POST', '/api/users', { body: { id: 'ben' } });
    await directory.member('ben', 'atlas');
    expect(await sourcesOf('ben', 'content.read')).toEqual([{ kind: 'workspace', id: 'atlas', ...BY_NOBODY }]);

    const id = 'cosmos-admins';
    await send('DELETE', `/api/groups/${id}`);
    await send('POST', '/api/groups', { body: { id, name: 'Administrators', workspace: 'cosmos' } });
    await send('POST', '/api/users/workspace-assign', {
      body: { userIds: ['dee'], workspaces: ['cosmos'], groups: [id] },
    });
    await dataSource.query(`INSERT INTO group_permissions (group_key, permission_key)
      SELECT g.key, p.key FROM groups AS g, permissions AS p WHERE g.id = '${id}' AND p.id = 'users.administer'`);
    expect(await sourcesOf('dee', 'users.administer')).toEqual([
      { kind: 'group', id, workspace: 'cosmos', ...BY_NOBODY },
    ]);
  });

  it('ignores what the journal has of a workspace with the id of the user', async () => {
    await send('POST', '/api/workspaces', { body: { id: 'cyd', name: 'Cyd' } });
    const places = { userIds: ['dee'], workspaces: ['borealis', 'cyd'] };
    await send('POST', '/api/users/workspace-assign', { body: places });
    expect(await sourcesOf('dee', 'content.read')).toEqual([{ kind: 'workspace', id: 'borealis', ...BY_ADA }]);
    expect(await sourcesOf('cyd', 'content.read')).toEqual([{ kind: 'workspace', id: 'borealis', ...BY_IMPORT }]);
  });

  it('ignores what the journal has of a group with the id of the workspace', async () => {
    const group = { id: 'borealis', name: 'Borealis', workspace: 'atlas', permissions: ['content.read'] };
    expect((await send('POST', '/api/groups', { body: group })).status).toBe(201);
    expect(await sourcesOf('cyd', 'content.read')).toEqual([{ kind: 'workspace', id: 'borealis', ...BY_IMPORT }]);
  });

  it.each(['nobody', 'a%00b', 'x'.repeat(5_000)])('does not know %.10s', async (id) => {
    expect(await send('GET', `/api/users/${id}/permissions`)).toMatchObject({
      status: 404,
      body: { status: 404, message: 'There is no such user.' },
    });
  });
});
