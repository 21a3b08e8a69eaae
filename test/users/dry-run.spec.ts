import { useTestService } from '../support/test-service';
import { DeliveryWorker } from '../../src/plugins/webhooks/delivery-worker';
import { falseTypes } from '../races/false-types';
import { SeededRandom } from '../races/seeded-random';
import { type Answer, post } from '../support/ask';
import { querySealed } from '../support/sealed';

const DIRECTORIES = 20;
const REQUESTS_OF_EACH = 25;

const TYPES = ['member', 'manager', 'administrator'] as const;
const PERMISSIONS = ['read', 'manage', 'administer'];
const DONE: Record<string, string> = {
  'workspace-assign': 'Users successfully assigned to workspaces.',
  'workspace-unassign': 'Users successfully unassigned from workspaces.',
  'status-assign': 'User statuses successfully updated.',
};
/** Ids that no record has, and elements that are no ids. */
const UNKNOWN = ['nobody', '', 'b\0n', 'x'.repeat(300)];
const MALFORMED = [7, null, ['user-1']];

const random = new SeededRandom(10);
const service = useTestService();
let users: string[];
let workspaces: string[];
let groups: string[];
let tables: string[];

beforeAll(async () => {
  // It tries deliveries by its own clock: what it writes belongs to no request.
  await service.app.get(DeliveryWorker).beforeApplicationShutdown();
  const rows: { name: string }[] = await service.dataSource.query(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  // That a service has called is written beside its request, whatever it asks for.
  tables = rows.map(({ name }) => name).filter((name) => name !== 'calling_services');
  await service.dataSource.query(
    `INSERT INTO webhook_subscriptions (id, url, events, secret)
     VALUES ('any', 'http://127.0.0.1:1/', '{user.type.changed,user.status.changed,user.workspaces.assigned}', '')`,
  );
});

const ids = (prefix: string, atMost: number) =>
  Array.from({ length: 1 + random.below(atMost) }, (_, index) => `${prefix}-${index + 1}`);

/** Users, workspaces and groups at random, each permitted and joined at random, with the types that follow. */
async function writeDirectory(): Promise<void> {
  const { directory, dataSource } = service;
  await directory.clear();
  await dataSource.query('DELETE FROM webhook_deliveries');
  for (const [index, id] of PERMISSIONS.entries()) await directory.permission(id, TYPES[index] ?? 'guest');
  users = ids('user', 8);
  workspaces = ids('workspace', 4);
  groups = [];
  const some = () => (random.below(3) === 0 ? random.some(PERMISSIONS) : []);
  for (const id of workspaces) await directory.workspace(id, some());
  for (const id of ids('group', 6)) {
    await directory.group(id, random.pick(workspaces), some());
    groups.push(id);
  }
  for (const id of users)
    await directory.user(id, { permissions: some(), status: random.pick(['active', 'inactive']) });
  await directory.user('root', { type: 'administrator', permissions: random.below(2) ? ['administer'] : [] });
  users.push('root');
  await dataSource.query(
    `INSERT INTO workspace_memberships (user_key, workspace_key)
     SELECT u.key, w.key FROM users AS u, workspaces AS w WHERE hashtext(u.id || w.id || $1) % 3 = 0`,
    [String(random.below(1_000))],
  );
  await dataSource.query(
    `INSERT INTO group_memberships (user_key, workspace_key, group_key)
     SELECT user_key, workspace_key, g.key FROM workspace_memberships JOIN groups AS g USING (workspace_key)
     WHERE (user_key + g.key) % 2 = 0`,
  );
  await dataSource.query(`SELECT count(*) FROM retype_members(ARRAY(SELECT key FROM users), NULL)`);
}

function listOf(known: string[]): unknown {
  const list: unknown[] = random.some(known);
  if (random.below(6) === 0) list.push(random.pick(UNKNOWN));
  if (random.below(4) === 0) list.push(random.pick(list));
  if (random.below(50) === 0) list.push(random.pick(MALFORMED));
  return random.below(40) === 0 ? random.pick([[], 'text', null, UNKNOWN]) : list;
}

function anyRequest(): { operation: string; body: object; lenient: boolean } {
  const operation = random.pick(Object.keys(DONE));
  const lenient = random.below(2) === 0;
  const userIds = listOf(users);
  if (operation === 'status-assign') {
    const status = random.pick(['active', 'inactive', 'inactive', 'inactive', 'asleep']);
    return { operation, body: { userIds, status, reason: random.pick([undefined, 'a reason']) }, lenient };
  }
  const inGroups = random.below(2) === 0 ? undefined : listOf(groups);
  return { operation, body: { userIds, workspaces: listOf(workspaces), groups: inGroups }, lenient };
}

function call(path: string, body: object, prefer: string[]): Promise<Answer> {
  return post(`${service.url}/api/users/${path}`, body, {
    authorization: `Bearer ${service.serviceToken()}`,
    prefer: prefer.length > 0 ? prefer.join(', ') : undefined,
  });
}

/** Every row of every table, with the transaction that wrote it. In columns: a union of tables has no order, and begins parallel workers. */
async function wholeDatabase(): Promise<object[]> {
  const columns = tables.map(
    (table) => `(SELECT md5(string_agg(xmin || ' ' || ctid, '|' ORDER BY ctid)) FROM ${table}) AS ${table}`,
  );
  return querySealed(service.dataSource, `SELECT ${columns.join(', ')}`);
}

it('a dry run returns exactly what the real request then returns, and changes nothing', async () => {
  const seen = new Map<string, number>();
  for (let directory = 0; directory < DIRECTORIES; directory++) {
    await writeDirectory();
    let before = await wholeDatabase();
    for (let request = 0; request < REQUESTS_OF_EACH; request++) {
      const { operation, body, lenient } = anyRequest();
      const wish = lenient ? ['handling=lenient'] : [];
      const said = await call(`${operation}?dryRun=true`, body, wish);
      expect(await wholeDatabase()).toEqual(before);
      const done = await call(operation, body, [...wish, 'return=representation']);
      const deed = done.text.replace(DONE[operation] ?? '', 'Nothing was changed: this was a dry run.');
      expect([said.status, said.text]).toEqual([done.status, deed]);
      const after = await wholeDatabase();
      const isChange = done.status === 200 && !done.text.includes('"users":[]');
      expect(JSON.stringify(after) === JSON.stringify(before)).toBe(!isChange);
      before = after;
      seen.set(`${operation} ${done.status}`, (seen.get(`${operation} ${done.status}`) ?? 0) + 1);
    }
    expect(await falseTypes(service.dataSource)).toEqual([]);
  }
  for (const operation of Object.keys(DONE)) {
    expect(seen.get(`${operation} 200`)).toBeGreaterThan(40);
    expect(seen.get(`${operation} 400`)).toBeGreaterThan(10);
  }
  expect(seen.get('status-assign 409')).toBeGreaterThan(10);
  expect(seen.get('workspace-unassign 409')).toBeGreaterThan(1);
});
