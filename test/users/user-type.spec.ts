import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { USER_TYPES, type UserType } from '../../src/contract/directory';
import { Transactions } from '../../src/database/transactions';
import { LockedUsers } from '../../src/directory/locked-users';
import { importDirectory } from '../../src/directory-transfer/import-directory';
import { falseTypes } from '../races/false-types';
import { SeededRandom } from '../races/seeded-random';
import { useTestService } from '../support/test-service';
import { ChangePermissionsService } from '../../src/users/change-permissions.service';
import { UnassignUsersService } from '../../src/users/unassign-users.service';
import { UserTypeRule } from '../../src/users/user-type.rule';
import { type TypeChange, UserTypeService } from '../../src/users/user-type.service';
import { assign, ASSIGNED } from '../support/ask';
import { asJudged } from '../support/as-judged';

const service = useTestService();

beforeEach(async () => {
  const { directory } = service;
  await directory.clear();
  for (const type of USER_TYPES) await directory.permission(`be-${type}`, type);
  await directory.user('root', { type: 'administrator', permissions: ['be-administrator'] });
});

function refresh(...ids: string[]): Promise<TypeChange[]> {
  return service.app.get(Transactions).run(async (manager) => {
    const rows: { key: string }[] = await manager.query('SELECT key FROM users WHERE id = ANY ($1)', [ids]);
    const keys = rows.map(({ key }) => key);
    const users = await LockedUsers.lock(manager, keys);
    return service.app
      .get(UserTypeService)
      .refresh(manager, users, asJudged({ actor: { kind: 'system', id: 'test' } }));
  });
}

/** Puts ben into a new workspace with these permissions, and into a new group of it with those. */
async function join(workspacePermissions: string[], groupPermissions: string[] = []): Promise<void> {
  const [workspace, group] = [randomUUID(), randomUUID()];
  await service.directory.workspace(workspace, workspacePermissions);
  await service.directory.group(group, workspace, groupPermissions);
  await service.directory.member('ben', workspace, [group]);
}

describe('the type of a user', () => {
  const typeOfBen = async (): Promise<UserType | undefined> => {
    await refresh('ben');
    return service.directory.typeOf('ben');
  };

  it('is guest when no permission is held', async () => {
    await service.directory.user('ben');
    await join([]);
    expect(await typeOfBen()).toBe('guest');
  });

  it.each(USER_TYPES)('is %s through a direct permission that grants it', async (type) => {
    await service.directory.user('ben', { permissions: [`be-${type}`] });
    expect(await typeOfBen()).toBe(type);
  });

  it.each(USER_TYPES)('is %s through a permission of a workspace', async (type) => {
    await service.directory.user('ben');
    await join([`be-${type}`]);
    expect(await typeOfBen()).toBe(type);
  });

  it.each(USER_TYPES)('is %s through a permission of a group', async (type) => {
    await service.directory.user('ben');
    await join([], [`be-${type}`]);
    expect(await typeOfBen()).toBe(type);
  });

  it.each([
    ['directly', ['be-manager'], ['be-member'], ['be-guest']],
    ['through a workspace', ['be-guest', 'be-member'], ['be-manager', 'be-guest'], ['be-member']],
    ['through a group', ['be-member'], ['be-guest'], ['be-manager', 'be-member']],
  ])('is the highest that any permission grants: held %s', async (_, direct, ofWorkspace, ofGroup) => {
    await service.directory.user('ben', { permissions: direct });
    await join(['be-guest']);
    await join(ofWorkspace, ofGroup);
    expect(await typeOfBen()).toBe('manager');
  });

  it('does not depend on groups and workspaces that the user is not in', async () => {
    await service.directory.user('ben');
    await service.directory.workspace('atlas', ['be-manager']);
    await service.directory.group('atlas-editors', 'atlas', ['be-manager']);
    expect(await typeOfBen()).toBe('guest');
  });

  it('is lowered when the permission that granted it is removed', async () => {
    await service.directory.user('ben', { type: 'manager' });
    expect(await refresh('ben')).toEqual([{ userId: 'ben', status: 'active', before: 'manager', after: 'guest' }]);
    expect(await service.directory.typeOf('ben')).toBe('guest');
  });
});

describe('the types after assignments', () => {
  const random = new SeededRandom(11);
  const ids = (prefix: string) => [1, 2, 3, 4, 5, 6].map((number) => `${prefix}${number}`);
  const [users, workspaces, groups] = [ids('u'), ids('w'), ids('g')];
  const workspaceOf = (group: string) => group.replace('g', 'w');
  const fewOf = (values: string[]) => values.filter(() => random.below(6) === 0);
  const permissions = () => fewOf(USER_TYPES.map((type) => `be-${type}`));

  function directory(): string[] {
    const places = [
      ...workspaces.map((id) => ({ workspace: { id, name: id, permissions: permissions() } })),
      ...groups.map((id) => ({ group: { id, name: id, workspace: workspaceOf(id), permissions: permissions() } })),
    ];
    const members = users.map((id) => {
      const memberOf = fewOf(groups);
      const user = { id, permissions: permissions(), workspaces: memberOf.map(workspaceOf), groups: memberOf };
      return { user };
    });
    return [...places, ...members].map((record) => JSON.stringify(record));
  }

  it('are what the rule derives from all permissions, in random directories', async () => {
    const system = { actor: { kind: 'system', id: 'test' } } as const;
    const userTypes = service.app.get(UserTypeService);
    const earned = new Set<string>();
    for (let trial = 0; trial < 12; trial += 1) {
      await service.dataSource.query(`WITH u AS (DELETE FROM users WHERE id <> 'root') DELETE FROM workspaces`);
      await importDirectory(service.dataSource, directory(), system, { userTypes });
      for (let turn = 0; turn < 5; turn += 1) {
        const places = random.some(workspaces);
        const body = {
          userIds: random.some(users),
          workspaces: places,
          groups: fewOf(groups).filter((group) => places.includes(workspaceOf(group))),
        };
        expect(await assign(service, service.serviceToken(), body)).toMatchObject({ status: 200, text: ASSIGNED });
        expect(await falseTypes(service.dataSource)).toEqual([]);
        const types: { type: string }[] = await service.dataSource.query('SELECT DISTINCT type FROM users');
        for (const { type } of types) earned.add(type);
      }
    }
    expect([...earned].sort()).toEqual([...USER_TYPES].sort());
  });
});

describe('a refresh of types', () => {
  it('writes only the rows of users whose type has changed', async () => {
    await service.directory.user('ben', { permissions: ['be-member'] });
    await service.directory.user('cyd', { type: 'member', permissions: ['be-member'] });
    await service.directory.user('dee', { permissions: ['be-member'] });
    const rows = async (): Promise<Record<string, string>> => {
      const found: { id: string; version: string }[] = await service.dataSource.query(
        'SELECT id, updated_at || xmin::text AS version FROM users',
      );
      return Object.fromEntries(found.map(({ id, version }) => [id, version]));
    };
    const before = await rows();

    const changes = await refresh('ben', 'cyd');

    expect(changes).toEqual([{ userId: 'ben', status: 'active', before: 'guest', after: 'member' }]);
    const after = await rows();
    expect(Object.keys(after).filter((id) => after[id] !== before[id])).toEqual(['ben']);
    expect(await refresh('ben', 'cyd')).toEqual([]);
  });

  it('refuses to demote the last active administrator, and writes nothing', async () => {
    await service.directory.user('ben', { type: 'administrator' });
    await service.directory.user('old', {
      type: 'administrator',
      status: 'inactive',
      permissions: ['be-administrator'],
    });
    await refresh('ben');
    await service.dataSource.query('DELETE FROM user_permissions');
    await expect(refresh('root')).rejects.toThrow('directory.last_administrator');
    expect(await service.directory.typeOf('root')).toBe('administrator');
  });

  it('demotes an inactive administrator, who is not the last active one', async () => {
    await service.directory.user('old', { type: 'administrator', status: 'inactive' });
    await service.dataSource.query(`UPDATE users SET status = 'inactive' WHERE id = 'root'`);
    expect(await refresh('old')).toHaveLength(1);
  });
});

describe('a type rule of the application', () => {
  /** The query in the example of the documentation. */
  const source = readFileSync(require.resolve('../../src/users/user-type.rule'), 'utf8');
  const [, example = ''] = /@example[^`]*`([^`]*)`/.exec(source.replace(/^ \* ?/gm, '')) ?? [];

  class StaffRule extends UserTypeRule {
    override readonly query = example;
  }

  const own = useTestService({ userTypeRule: StaffRule });

  it('replaces the rule of the service in assignments', async () => {
    await own.directory.permission('administer', 'administrator');
    await own.directory.workspace('atlas', ['administer']);
    await own.directory.user('ben');
    await own.directory.user('cyd');
    await own.dataSource.query(`UPDATE users SET email = 'ben@example.com' WHERE id = 'ben'`);
    expect(example).toContain('@example.com');

    const answer = await assign(own, own.serviceToken(), { userIds: ['ben', 'cyd'], workspaces: ['atlas'] });

    expect(answer.status).toBe(200);
    expect(await own.directory.typeOf('ben')).toBe('manager');
    expect(await own.directory.typeOf('cyd')).toBe('guest');
    const written = await own.dataSource.query<object[]>(
      `SELECT user_id FROM journal_entries JOIN users ON users.id = user_id AND users.updated_at > users.created_at
       WHERE action = 'user.type.changed'`,
    );
    expect(written).toEqual([{ user_id: 'ben' }]);
    expect(await own.dataSource.query<object[]>('SELECT FROM users WHERE updated_at > created_at')).toHaveLength(1);
  });

  it('replaces the rule of the service everywhere else', async () => {
    const system = { actor: { kind: 'system', id: 'test' } } as const;
    const types = async () => [await own.directory.typeOf('ben'), await own.directory.typeOf('cyd')];
    const spoil = () => own.dataSource.query(`UPDATE users SET type = 'member' WHERE id IN ('ben', 'cyd')`);

    await spoil();
    const unassignment = { userIds: ['ben', 'cyd'], workspaces: ['atlas'] };
    await own.app.get(UnassignUsersService).execute(unassignment, system);
    expect(await types()).toEqual(['manager', 'guest']);

    await spoil();
    for (const id of ['ben', 'cyd']) {
      const change = { holder: 'user', id, grant: ['administer'] } as const;
      await own.app.get(ChangePermissionsService).execute(change, system);
    }
    expect(await types()).toEqual(['manager', 'guest']);

    await spoil();
    const lines = ['{"user":{"id":"ben"}}', '{"user":{"id":"cyd","email":"cyd@example.com"}}'];
    await importDirectory(own.dataSource, lines, system, { userTypes: own.app.get(UserTypeService) });
    expect(await types()).toEqual(['manager', 'manager']);
  });
});
