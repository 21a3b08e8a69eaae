import { useTestService } from '../support/test-service';
import { DeliveryWorker } from '../../src/plugins/webhooks/delivery-worker';
import { USER_TYPES, type UserType } from '../../src/contract/directory';
import { SeededRandom } from '../races/seeded-random';
import { ask } from '../support/ask';
import { querySealed } from '../support/sealed';

const DIRECTORIES = 15;
const REQUESTS_OF_EACH = 20;
const TYPES = ['member', 'manager', 'administrator', 'guest'] as const;
const PERMISSIONS = ['read', 'manage', 'administer', 'nothing'];

const random = new SeededRandom(21);
const service = useTestService();
let tables: string[];

interface State {
  type: UserType;
  held: string[];
  places: string[];
}

beforeAll(async () => {
  await service.app.get(DeliveryWorker).beforeApplicationShutdown();
  const rows: { name: string }[] = await service.dataSource.query(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  // That a service has called is written beside its request, whatever it asks for.
  tables = rows.map(({ name }) => name).filter((name) => name !== 'calling_services');
});

async function writeDirectory() {
  const { directory, dataSource } = service;
  await directory.clear();
  for (const [index, id] of PERMISSIONS.entries()) await directory.permission(id, TYPES[index] ?? 'guest');
  const some = () => (random.below(2) === 0 ? random.some(PERMISSIONS) : []);
  const workspaces = ['w1', 'w2', 'w3'];
  for (const id of workspaces) await directory.workspace(id, some());
  const groups = ['g1', 'g2', 'g3', 'g4'];
  for (const id of groups) await directory.group(id, random.pick(workspaces), some());
  const users = Array.from({ length: 16 }, (_, index) => `u${index}`);
  for (const id of users)
    await directory.user(id, { permissions: some(), status: random.pick(['active', 'active', 'inactive']) });
  await dataSource.query(
    `INSERT INTO workspace_memberships (user_key, workspace_key)
     SELECT u.key, w.key FROM users AS u, workspaces AS w WHERE hashtext(u.id || w.id || $1) % 2 = 0`,
    [String(random.below(1_000))],
  );
  await dataSource.query(
    `INSERT INTO group_memberships (user_key, workspace_key, group_key)
     SELECT user_key, workspace_key, g.key FROM workspace_memberships JOIN groups AS g USING (workspace_key)
     WHERE (user_key + g.key) % 2 = 0`,
  );
  await dataSource.query(`SELECT count(*) FROM retype_members(ARRAY(SELECT key FROM users), NULL)`);
  return { users, workspaces, groups, permissions: PERMISSIONS };
}

/** What each user holds, from the tables themselves. */
async function stateOfUsers(): Promise<Map<string, State>> {
  const rows: (State & { id: string })[] = await service.dataSource.query(`
    SELECT u.id, u.type, ARRAY(
      SELECT permission_key::text FROM user_permissions WHERE user_key = u.key
      UNION SELECT permission_key::text FROM workspace_permissions JOIN workspace_memberships USING (workspace_key) WHERE user_key = u.key
      UNION SELECT permission_key::text FROM group_permissions JOIN group_memberships USING (group_key) WHERE user_key = u.key
      ORDER BY 1
    ) AS held, ARRAY(
      SELECT 'w' || workspace_key FROM workspace_memberships WHERE user_key = u.key
      UNION SELECT 'g' || group_key FROM group_memberships WHERE user_key = u.key ORDER BY 1
    ) AS places FROM users AS u`);
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}

/** By the definition of the contract: who holds less or more or leaves a place, or gets another type. */
function impactOf(before: Map<string, State>, after: Map<string, State>) {
  const nothing = { held: [], places: [] };
  const affected = [...before].filter(([id, was]) => {
    const is = after.get(id) ?? { ...nothing, type: was.type };
    return JSON.stringify(was) !== JSON.stringify({ type: is.type, held: is.held, places: is.places });
  });
  const types = USER_TYPES.flatMap((from) =>
    USER_TYPES.flatMap((to) => {
      const ids = [...before].flatMap(([id, { type }]) =>
        from !== to && type === from && after.get(id)?.type === to ? [id] : [],
      );
      const first = ids.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))).slice(0, 10);
      return ids.length > 0 ? [{ before: from, after: to, count: ids.length, first }] : [];
    }),
  );
  return { affected: affected.length, types };
}

function call(method: string, path: string, body?: object) {
  return ask(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.serviceToken()}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** Every row of every table, with the transaction that wrote it. */
async function wholeDatabase(): Promise<object[]> {
  const columns = tables.map(
    (table) => `(SELECT md5(string_agg(xmin || ' ' || ctid, '|' ORDER BY ctid)) FROM ${table}) AS ${table}`,
  );
  return querySealed(service.dataSource, `SELECT ${columns.join(', ')}`);
}

function anyRequest(ids: Record<'users' | 'workspaces' | 'groups' | 'permissions', string[]>) {
  const kind = random.pick(['users', 'users', 'workspaces', 'workspaces', 'groups', 'permissions'] as const);
  const id = random.below(12) === 0 ? 'nobody' : random.pick(ids[kind]);
  if (random.below(4) === 0) return { kind, id, method: 'DELETE' };
  const permissions = random.pick([undefined, random.some([...PERMISSIONS]), [], null, ['unknown']]);
  const body =
    kind === 'permissions'
      ? { grants: random.pick([undefined, ...TYPES]), description: random.pick([undefined, 'x', null]) }
      : kind === 'users'
        ? { permissions, email: random.pick([undefined, null, `${id}@example.com`, 'no address']) }
        : { permissions, name: random.pick([undefined, 'New name', '']) };
  return { kind, id, method: 'PATCH', body };
}

const timeless = (record: object) => ({ ...record, updatedAt: undefined });

it('a dry run of a change or a deletion says exactly what the real one then does, and changes nothing', async () => {
  const seen = new Map<string, number>();
  for (let directory = 0; directory < DIRECTORIES; directory++) {
    const ids = await writeDirectory();
    for (let request = 0; request < REQUESTS_OF_EACH; request++) {
      const { kind, id, method, body } = anyRequest(ids);
      const path = `/api/${kind}/${id}`;
      const [rows, before] = [await wholeDatabase(), await stateOfUsers()];
      const said = await call(method, `${path}?dryRun=true`, body);
      expect(await wholeDatabase()).toEqual(rows);
      const done = await call(method, path, body);
      seen.set(`${method} ${kind} ${done.status}`, (seen.get(`${method} ${kind} ${done.status}`) ?? 0) + 1);
      if (done.status >= 400) {
        expect([said.status, said.text]).toEqual([done.status, done.text]);
        continue;
      }
      const { result, ...answer } = JSON.parse(said.text) as { result: { record: object | null; users: object } };
      expect([said.status, answer]).toEqual([
        200,
        { status: 200, message: 'Nothing was changed: this was a dry run.' },
      ]);
      expect([method, path, body, result.users]).toEqual([method, path, body, impactOf(before, await stateOfUsers())]);
      if (method === 'DELETE') expect([done.status, result.record]).toEqual([204, null]);
      else expect(timeless(result.record ?? {})).toEqual(timeless(JSON.parse(done.text) as object));
      if ((result.users as { types: object[] }).types.length > 0)
        seen.set(`types ${method} ${kind}`, (seen.get(`types ${method} ${kind}`) ?? 0) + 1);
    }
  }
  for (const kind of ['workspaces', 'groups', 'permissions']) {
    expect([kind, seen.get(`DELETE ${kind} 204`)]).toEqual([kind, expect.any(Number)]);
    expect([kind, seen.get(`PATCH ${kind} 200`)]).toEqual([kind, expect.any(Number)]);
    expect([kind, seen.get(`types PATCH ${kind}`)]).toEqual([kind, expect.any(Number)]);
  }
  expect([seen.get('types PATCH users'), seen.get('DELETE users 204')]).toEqual([
    expect.any(Number),
    expect.any(Number),
  ]);
});
