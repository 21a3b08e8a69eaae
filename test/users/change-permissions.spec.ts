import { ServiceError } from '../../src/contract/errors';
import { LIMITS } from '../../src/contract/limits';
import { useTestService } from '../support/test-service';
import { ChangePermissionsService, type PermissionChange } from '../../src/users/change-permissions.service';
import { everyRow } from '../support/small-directory';
import { querySealed } from '../support/sealed';

const service = useTestService();

beforeEach(async () => {
  const { directory } = service;
  await directory.clear();
  await directory.permission('read', 'member');
  await directory.permission('manage', 'manager');
  await directory.permission('administer', 'administrator');
  await directory.workspace('atlas', ['read']);
  await directory.group('editors', 'atlas');
  await directory.user('ada', { type: 'administrator', permissions: ['administer'] });
  await directory.user('ben', { type: 'member' });
  await directory.user('cyd', { type: 'member' });
  await directory.user('dee');
  await directory.member('ben', 'atlas', ['editors']);
  await directory.member('cyd', 'atlas');
});

function change(request: PermissionChange): Promise<void> {
  return service.app.get(ChangePermissionsService).execute(request, { actor: { kind: 'system', id: 'test' } });
}

async function types(): Promise<Record<string, string>> {
  const rows: { id: string; type: string }[] = await service.dataSource.query('SELECT id, type FROM users');
  return Object.fromEntries(rows.map(({ id, type }) => [id, type]));
}

describe('a change of permissions', () => {
  const before = { ada: 'administrator', ben: 'member', cyd: 'member', dee: 'guest' };

  it.each<[PermissionChange, object]>([
    [{ holder: 'user', id: 'dee', grant: ['manage'] }, { dee: 'manager' }],
    [
      { holder: 'workspace', id: 'atlas', grant: ['manage', 'manage', 'read'] },
      { ben: 'manager', cyd: 'manager' },
    ],
    [{ holder: 'group', id: 'editors', grant: ['manage'] }, { ben: 'manager' }],
    [
      { holder: 'workspace', id: 'atlas', revoke: ['read'] },
      { ben: 'guest', cyd: 'guest' },
    ],
    [
      { holder: 'workspace', id: 'atlas', grant: ['manage'], revoke: ['read'] },
      { ben: 'manager', cyd: 'manager' },
    ],
    [{ holder: 'workspace', id: 'atlas', grant: ['manage'], revoke: ['manage'] }, {}],
    [{ holder: 'group', id: 'editors', revoke: ['manage'] }, {}],
    [{ holder: 'user', id: 'dee' }, {}],
  ])('updates the types of affected users, and of no others: %j', async (request, after) => {
    await change(request);
    expect(await types()).toEqual({ ...before, ...after });
    const rows = await everyRow(service);
    await change(request);
    expect(await everyRow(service)).toEqual(rows);
  });

  it.each<[PermissionChange, string, string, string]>([
    [{ holder: 'user', id: 'atlas', grant: ['nothing'] }, 'user.invalid', '/id', 'atlas'],
    [{ holder: 'workspace', id: 'editors', grant: ['manage'] }, 'workspace.invalid', '/id', 'editors'],
    [{ holder: 'group', id: 'ben', grant: ['manage'] }, 'group.invalid', '/id', 'ben'],
    [{ holder: 'user', id: 'd\0e' }, 'user.invalid', '/id', 'd\0e'],
    [{ holder: 'user', id: 'dee', grant: ['read', 'rule'] }, 'permission.invalid', '/grant/1', 'rule'],
    [
      { holder: 'group', id: 'editors', grant: ['manage'], revoke: ['\ud800'] },
      'permission.invalid',
      '/revoke/0',
      '\ud800',
    ],
  ])(
    'is refused for unknown ids, with their positions, and changes nothing: %j',
    async (request, code, pointer, id) => {
      const rows = await everyRow(service);
      const refusal: unknown = await change(request).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ServiceError);
      expect(refusal).toMatchObject({ code, details: { errors: [{ pointer, id }] } });
      expect(await everyRow(service)).toEqual(rows);
    },
  );

  it('is refused if it would demote the last active administrator', async () => {
    const rows = await everyRow(service);
    const refusal = change({ holder: 'user', id: 'ada', revoke: ['administer'] });
    await expect(refusal).rejects.toThrow('directory.last_administrator');
    expect(await everyRow(service)).toEqual(rows);
  });

  it('updates every member of a workspace with more members than one statement handles', async () => {
    const { dataSource } = service;
    const members = LIMITS.users + 500;
    await dataSource.query(
      `WITH added AS (INSERT INTO users (id, type) SELECT 'member-' || n, 'member' FROM generate_series(1, $1) AS n RETURNING key)
       INSERT INTO workspace_memberships (user_key, workspace_key) SELECT added.key, w.key FROM added, workspaces AS w`,
      [members],
    );
    const told = async () => {
      const [row]: { count: number }[] = await querySealed(
        dataSource,
        `SELECT COALESCE(sum(COALESCE(cardinality(user_ids), 1)), 0)::integer AS count FROM journal_changes
         WHERE action = 'user.type.changed'`,
      );
      return row?.count ?? 0;
    };
    const before = await told();
    await change({ holder: 'workspace', id: 'atlas', grant: ['manage'] });
    expect(
      new Set(
        Object.entries(await types())
          .filter(([id]) => id.startsWith('member-'))
          .map(([, type]) => type),
      ),
    ).toEqual(new Set(['manager']));
    expect((await told()) - before).toBe(members + 2);
  });
});
