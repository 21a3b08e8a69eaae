import { USER_TYPES, type UserType } from '../../src/contract/directory';
import type { HeldPermissionsDto, SourcePlace } from '../../src/users/dto/held-permissions.dto';
import { useTestService } from '../support/test-service';
import { ExplainPermissionsService } from '../../src/users/explain-permissions.service';
import { UserRecordsController } from '../../src/users/user-records.controller';
import { SeededRandom } from '../races/seeded-random';

/** Small directories, side by side in one database: the ids of each begin with its number. */
const DIRECTORIES = 300;
const PERMISSIONS = 3;
const WORKSPACES = 2;
const GROUPS = 3;

/** One user of a directory: what is given to whom, as pairs of ids. */
interface Directory {
  user: string;
  grants: Map<string, UserType>;
  groups: Map<string, string>;
  /** Who is given a permission: `user p`, `workspace w p` or `group g p`. */
  given: Set<string>;
  workspaces: Set<string>;
  memberOf: Set<string>;
}

const random = new SeededRandom(7);
const directories = Array.from({ length: DIRECTORIES }, (_, number) => randomDirectory(number));
const service = useTestService();

beforeAll(() => write());

function randomDirectory(number: number): Directory {
  const ids = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${number}-${prefix}${index}`);
  const permissions = ids('p', PERMISSIONS);
  const workspaces = ids('w', WORKSPACES);
  const groups = new Map(ids('g', GROUPS).map((group) => [group, random.pick(workspaces)]));
  const chance = () => random.pick([true, false, false]);
  const ways = ['user', ...workspaces.map((id) => `workspace ${id}`), ...[...groups.keys()].map((id) => `group ${id}`)];
  const memberOf = new Set([...groups.keys()].filter(chance));
  const joined = workspaces.filter((id) => chance() || [...memberOf].some((group) => groups.get(group) === id));
  return {
    user: `${number}-u`,
    grants: new Map(permissions.map((id) => [id, random.pick([...USER_TYPES])])),
    groups,
    given: new Set(ways.flatMap((way) => permissions.filter(chance).map((id) => `${way} ${id}`))),
    workspaces: new Set(joined),
    memberOf,
  };
}

/** Writes all directories, each kind of row in one statement. */
async function write(): Promise<void> {
  const insert = (statement: string, rows: unknown[]) => service.dataSource.query(statement, [JSON.stringify(rows)]);
  const each = <Row>(rows: (directory: Directory) => Row[]) => directories.flatMap(rows);
  const from = 'FROM jsonb_to_recordset($1::jsonb) AS row';
  await insert(
    `INSERT INTO permissions (id, grants) SELECT id, grants::user_type ${from} (id text, grants text)`,
    each(({ grants }) => [...grants].map(([id, grants]) => ({ id, grants }))),
  );
  const places = each(({ groups }) => [...groups].map(([id, workspace]) => ({ id, workspace })));
  await insert(
    `INSERT INTO workspaces (id, name) SELECT id, id ${from} (id text)`,
    directories.flatMap((_, number) =>
      Array.from({ length: WORKSPACES }, (__, index) => ({ id: `${number}-w${index}` })),
    ),
  );
  await insert(
    `INSERT INTO groups (id, name, workspace_key) SELECT row.id, row.id, w.key ${from} (id text, workspace text)
     JOIN workspaces AS w ON w.id = row.workspace`,
    places,
  );
  await insert(
    `INSERT INTO users (id) SELECT id ${from} (id text)`,
    each(({ user }) => [{ id: user }]),
  );
  await insert(
    `INSERT INTO workspace_memberships (user_key, workspace_key) SELECT u.key, w.key ${from} (id text, place text)
     JOIN users AS u ON u.id = row.id JOIN workspaces AS w ON w.id = place`,
    each(({ user, workspaces }) => [...workspaces].map((place) => ({ id: user, place }))),
  );
  await insert(
    `INSERT INTO group_memberships (user_key, workspace_key, group_key) SELECT u.key, g.workspace_key, g.key
     ${from} (id text, place text) JOIN users AS u ON u.id = row.id JOIN groups AS g ON g.id = place`,
    each(({ user, memberOf }) => [...memberOf].map((place) => ({ id: user, place }))),
  );
  for (const kind of ['user', 'workspace', 'group']) {
    await insert(
      `INSERT INTO ${kind}_permissions (${kind}_key, permission_key) SELECT h.key, p.key ${from} (holder text, permission text)
       JOIN ${kind}s AS h ON h.id = holder JOIN permissions AS p ON p.id = permission`,
      each(({ user, given }) =>
        [...given].flatMap((one) => {
          const [way, ...ids] = one.split(' ');
          const [holder, permission] = ids.length === 1 ? [user, ids[0]] : ids;
          return way === kind ? [{ holder, permission }] : [];
        }),
      ),
    );
  }
  await service.dataSource.query(
    `UPDATE users SET type = derived.type FROM derive_user_types(ARRAY(SELECT key FROM users)) AS derived
     WHERE derived.key = users.key`,
  );
}

/** Whether a user holds a permission, by an independent implementation of the rule. */
function holds({ given, workspaces, memberOf }: Directory, permission: string): boolean {
  return (
    given.has(`user ${permission}`) ||
    [...workspaces].some((id) => given.has(`workspace ${id} ${permission}`)) ||
    [...memberOf].some((id) => given.has(`group ${id} ${permission}`))
  );
}

/** The directory as it is once these sources no longer give the permission. */
function without(directory: Directory, permission: string, sources: SourcePlace[]): Directory {
  const taken = sources.map(
    (source) => `${source.kind === 'user' ? 'user' : `${source.kind} ${source.id}`} ${permission}`,
  );
  expect(taken.filter((one) => !directory.given.has(one))).toEqual([]);
  return { ...directory, given: new Set([...directory.given].filter((one) => !taken.includes(one))) };
}

it('the sources of a permission are exactly those without which the user would not hold it, on 300 random directories', async () => {
  const explain = service.app.get(ExplainPermissionsService);
  let sources = 0;
  for (const directory of directories) {
    const told: HeldPermissionsDto = await explain.execute(directory.user, { limit: 50 });
    const held = [...directory.grants.keys()].filter((id) => holds(directory, id));
    expect(told.permissions.map(({ id }) => id)).toEqual(held);
    for (const permission of told.permissions) {
      expect(permission.grants).toBe(directory.grants.get(permission.id));
      expect(permission.earnsType).toBe(permission.grants === told.type);
      expect(holds(without(directory, permission.id, permission.sources), permission.id)).toBe(false);
      for (const left of permission.sources) {
        const others = permission.sources.filter((source) => source !== left);
        expect(holds(without(directory, permission.id, others), permission.id)).toBe(true);
      }
      sources += permission.sources.length;
    }
  }
  expect(sources).toBeGreaterThan(DIRECTORIES);
});

it('the sources of a permission agree with the list of users who hold it', async () => {
  const list = service.app.get(UserRecordsController);
  for (const directory of directories.slice(0, 30)) {
    for (const permission of directory.grants.keys()) {
      const { users } = await list.listUsers({ permission, sort: 'id', limit: 50 });
      expect(users.map(({ id }) => id)).toEqual(holds(directory, permission) ? [directory.user] : []);
    }
  }
});
