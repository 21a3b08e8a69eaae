import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { USER_TYPES, type UserType } from '../../src/contract/directory';
import { Transactions } from '../../src/database/transactions';
import { LockedUsers } from '../../src/directory/locked-users';
import { importDirectory } from '../../src/plugins/transfer/import-directory';
import { SeededRandom } from '../races/seeded-random';
import { useTestService } from '../support/test-service';
import { ChangePermissionsService } from '../../src/users/change-permissions.service';
import { UnassignUsersService } from '../../src/users/unassign-users.service';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';
import { type TypeChange, UserTypeService } from '../../src/users/user-type/user-type.service';
import { assign } from '../support/ask';
import { asJudged } from '../support/as-judged';
import { querySealed } from '../support/sealed';

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

/** A small directory of its own: what it contains, and what a user earns in it. */
class SmallDirectory {
  private readonly grants = new Map<string, UserType>();
  private readonly permitted = new Map<string, string[]>();
  readonly users: string[];
  private readonly workspaces: string[];
  /** The groups of the workspace `0-w1` begin with its id. */
  private readonly groups: string[];
  private readonly placesOf = new Map<string, Set<string>>();

  constructor(
    id: number,
    private readonly random: SeededRandom,
  ) {
    const named = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${id}-${prefix}${n}`);
    for (const permission of named('p', 4)) this.grants.set(permission, random.pick(USER_TYPES));
    this.users = named('u', 3);
    this.workspaces = named('w', 3);
    this.groups = this.workspaces.flatMap((workspace) => [`${workspace}-a`, `${workspace}-b`]);
    for (const holder of [...this.users, ...this.workspaces, ...this.groups]) {
      this.permitted.set(holder, this.few([...this.grants.keys()]));
    }
    for (const user of this.users) this.placesOf.set(user, new Set(this.few(this.workspaces)));
  }

  private few<T>(values: readonly T[]): T[] {
    return values.filter(() => this.random.below(5) === 0);
  }

  lines(): string[] {
    const permissions = (id: string) => this.permitted.get(id);
    const placesOf = (user: string) => [...(this.placesOf.get(user) ?? [])];
    return [
      ...[...this.grants].map(([id, grants]) => ({ permission: { id, grants } })),
      ...this.workspaces.map((id) => ({ workspace: { id, name: id, permissions: permissions(id) } })),
      ...this.groups.map((id) => ({
        group: { id, name: id, workspace: id.slice(0, -2), permissions: permissions(id) },
      })),
      ...this.users.map((id) => {
        const places = placesOf(id);
        const workspaces = places.filter((place) => this.workspaces.includes(place));
        const groups = places.filter((place) => this.groups.includes(place));
        return { user: { id, permissions: permissions(id), workspaces, groups } };
      }),
    ].map((record) => JSON.stringify(record));
  }

  /** Other permissions of users and places, and other grants, as a file would bring them. */
  shuffle(): void {
    for (const permission of this.grants.keys()) this.grants.set(permission, this.random.pick(USER_TYPES));
    for (const holder of this.permitted.keys()) this.permitted.set(holder, this.few([...this.grants.keys()]));
  }

  /** Moves some users into places or out of them. */
  move(joins: boolean): { users: string[]; workspaces: string[]; groups: string[] } {
    const [users, workspaces] = [this.random.some(this.users), this.random.some(this.workspaces)];
    const groups = this.few(this.groups).filter((group) => workspaces.includes(group.slice(0, -2)));
    for (const user of users) {
      const places = this.placesOf.get(user) ?? new Set();
      for (const place of joins ? [...workspaces, ...groups] : groups)
        if (joins) places.add(place);
        else places.delete(place);
      if (joins || groups.length > 0) continue;
      for (const place of places) if (workspaces.some((left) => place.startsWith(left))) places.delete(place);
    }
    return { users, workspaces, groups };
  }

  earned(user: string): UserType {
    const holders = [user, ...(this.placesOf.get(user) ?? [])];
    const types = holders
      .flatMap((holder) => this.permitted.get(holder) ?? [])
      .map((id) => this.grants.get(id) ?? 'guest');
    return USER_TYPES.findLast((type) => types.includes(type)) ?? 'guest';
  }
}

describe('all ways to derive types', () => {
  const system = { actor: { kind: 'system', id: 'test' } } as const;

  it('agree with each other and with the rule, in 120 random directories', async () => {
    const random = new SeededRandom(26);
    const directories = Array.from({ length: 120 }, (_, id) => new SmallDirectory(id, random));
    const earned = () => directories.flatMap((one) => one.users.map((id) => ({ id, type: one.earned(id) })));
    const read = async (statement: string): Promise<Record<string, string>> => {
      const rows: { id: string; type: string }[] = await service.dataSource.query(statement);
      return Object.fromEntries(rows.map(({ id, type }) => [id, type]));
    };
    let types: Record<string, string> = {};
    /** @param retyped the number of changes of types that the function has reported */
    const check = async (retyped?: number): Promise<void> => {
      const before = types;
      types = Object.fromEntries(earned().map(({ id, type }) => [id, type]));
      expect(await read(`SELECT id, type FROM users WHERE id <> 'root'`)).toEqual(types);
      const derived = `
        SELECT id, derived.type FROM derive_user_types(ARRAY(SELECT key FROM users WHERE id <> 'root')) AS derived
        JOIN users USING (key)`;
      expect(await read(derived)).toEqual(types);
      const changed = Object.keys(types).filter((id) => types[id] !== before[id]).length;
      expect(changed).toBeGreaterThan(0);
      expect(retyped ?? changed).toBe(changed);
    };
    const load = () =>
      importDirectory(
        service.dataSource,
        directories.flatMap((one) => one.lines()),
        system,
        {
          userTypes: service.app.get(UserTypeService),
        },
      );
    const call = async (way: 'assign_users' | 'unassign_users', rule: string | null): Promise<number> => {
      const moves = directories.map((one) => one.move(way === 'assign_users'));
      const [row]: { retyped: number }[] = await service.dataSource.query(
        `SELECT sum(done.retyped)::integer AS retyped
         FROM jsonb_to_recordset($1) AS move (users text[], workspaces text[], groups text[])
         CROSS JOIN ${way}(users, workspaces, groups, $2, false, false, NULL, 'system', 'test', NULL, NULL, NULL, NULL) AS done`,
        [JSON.stringify(moves), rule],
      );
      return row?.retyped ?? 0;
    };

    await load(); // the types of new users
    await check();
    await check(await call('assign_users', null)); // raise_member_types
    await check(await call('unassign_users', null)); // refresh_member_types, of one user or several
    await check(await call('assign_users', new UserTypeRule().query)); // retype_members, with a rule as text
    for (const one of directories) one.shuffle();
    await load(); // retype_members, for an import
    await check();
    await check(await call('assign_users', null));
    expect(new Set(Object.values(types))).toEqual(new Set(USER_TYPES));
  });
});

describe('a refresh of types', () => {
  it('lowers the type of a user when the permission that granted it is removed', async () => {
    await service.directory.user('ben', { type: 'manager' });
    expect(await refresh('ben')).toEqual([{ userId: 'ben', status: 'active', before: 'manager', after: 'guest' }]);
    expect(await service.directory.typeOf('ben')).toBe('guest');
  });

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

describe('the operations that refresh types', () => {
  const sources = join(__dirname, '../../src');
  const read = (path: string) => readFileSync(join(sources, path), 'utf8');
  const room = 'users/user-type/';
  const [, inTypeScript = '', inSql = ''] =
    /In TypeScript,([^]*?)In SQL:([^]*?)\*\//.exec(read(`${room}user-type.service.ts`)) ?? [];
  const named = (text: string) => [...text.matchAll(/`([\w/-]+)`/g)].map(([, name]) => name);

  it('in TypeScript are those that UserTypeService lists', () => {
    const callers = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((path) => {
      if (!path.endsWith('.ts') || path.startsWith(room)) return false;
      const text = read(path);
      return (
        /user-type\.service|affected-types\.service/.test(text) &&
        /\.(refresh|recompute)\(|\bretype_members\(/.test(text)
      );
    });
    expect(named(inTypeScript).sort()).toEqual(callers.map((path) => path.replace(/(\.service)?\.ts$/, '')).sort());
  });

  it('in SQL are those that UserTypeService lists', async () => {
    const own = readdirSync(join(sources, room, 'sql')).map((path) => path.replace('.sql', ''));
    const rows = await service.dataSource.query<{ caller: string }[]>(
      `SELECT DISTINCT caller.proname AS caller FROM pg_proc AS caller JOIN unnest($1::text[]) AS own ON caller.prosrc ~ (own || '\\(')
       WHERE caller.pronamespace = 'public'::regnamespace AND caller.proname <> ALL ($1)`,
      [own],
    );
    const callers = rows.map(({ caller }) => caller);
    expect(
      named(inSql)
        .filter((name) => !own.includes(name ?? ''))
        .sort(),
    ).toEqual(callers.sort());
  });
});

describe('a type rule of the application', () => {
  /** The query in the example of the documentation. */
  const source = readFileSync(require.resolve('../../src/users/user-type/user-type-rule'), 'utf8');
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
    const written = await querySealed<object[]>(
      own.dataSource,
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
