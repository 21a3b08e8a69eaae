import type { AccessLine } from '../../src/contract/access';
import type { HeldPermissionsDto } from '../../src/users/dto/held-permissions.dto';
import type { MembershipPageDto } from '../../src/users/dto/memberships.dto';
import { SeededRandom } from '../races/seeded-random';
import { useEndsClock } from '../support/ends';
import { useDemoService } from '../support/demo-service';

const STEPS = 120;
const USERS = ['ada', 'ben', 'cyd', 'dee', 'eve', 'zoe', 'flo', 'gus'];
const WORKSPACES = ['atlas', 'borealis', 'cosmos'];
const GROUPS = ['atlas-editors', 'atlas-managers', 'borealis-editors', 'borealis-managers', 'cosmos-admins'];
const PERMISSIONS = ['content.read', 'content.edit', 'workspace.manage', 'users.administer'];

const service = useDemoService();
const clock = useEndsClock(service);
const random = new SeededRandom(4_711);
/** Whoever else is no administrator at a moment, a service is. */
const token = () => service.serviceToken();

async function send<Body>(method: string, path: string, body?: object, bearer = token()): Promise<Body> {
  const response = await fetch(service.url + path, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body && { 'content-type': path.startsWith('/scim') ? 'application/scim+json' : 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
  if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status}`);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}

const reason = () => random.pick([undefined, 'Project Atlas', '=1+1', 'Umlaut ä']);
const until = () =>
  random.pick([undefined, undefined, new Date(Date.now() + random.below(7_200_000) + 1_000).toISOString()]);
const placesOf = () => {
  const groups = random.pick([[], random.some(GROUPS)]);
  return {
    groups,
    workspaces: [...new Set([...groups.map((id) => id.split('-')[0] as string), random.pick(WORKSPACES)])],
  };
};

let connection: { id: string; token: string };
let scimUser: string;
let scimGroup: string;

const STEPS_OF: (() => Promise<unknown>)[] = [
  () =>
    send('POST', '/api/users/workspace-assign', {
      userIds: random.some(USERS),
      ...placesOf(),
      until: until(),
      reason: reason(),
    }),
  () => send('POST', '/api/users/workspace-unassign', { userIds: random.some(USERS), ...placesOf(), reason: reason() }),
  () =>
    send('PATCH', `/api/users/${random.pick(USERS)}?reason=${encodeURIComponent(reason() ?? 'none')}`, {
      permissions: random.pick([[], random.some(PERMISSIONS)]),
    }),
  () => send('PATCH', `/api/workspaces/${random.pick(WORKSPACES)}`, { permissions: random.some(PERMISSIONS) }),
  () =>
    send('PATCH', `/api/groups/${random.pick(GROUPS)}`, { permissions: random.pick([[], random.some(PERMISSIONS)]) }),
  () =>
    send('POST', '/api/users/status-assign', {
      userIds: random.some(USERS),
      status: random.pick(['active', 'inactive']),
    }),
  async () => {
    const { entries } = await send<{ entries: { id: string }[] }>('GET', '/api/journal?limit=20');
    await send('POST', `/api/journal/${random.pick(entries).id}/undo`, { reason: reason() });
  },
  () => clock.passes(random.below(3_600)),
  () =>
    send(
      'PATCH',
      `/scim/v2/Groups/${scimGroup}`,
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: random.pick(['add', 'remove']), path: 'members', value: [{ value: scimUser }] }],
      },
      connection.token,
    ),
];

async function everybody(): Promise<string[]> {
  const { users } = await send<{ users: { id: string }[] }>('GET', '/api/users?limit=200');
  return users.map(({ id }) => id);
}

async function register(): Promise<AccessLine[]> {
  const response = await fetch(`${service.url}/api/access`, { headers: { authorization: `Bearer ${token()}` } });
  const lines = (await response.text()).trimEnd().split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as AccessLine);
}

interface Fact {
  until?: string;
  since?: string | null;
  actor?: unknown;
  reason?: string | null;
}

/** What a user has, by place or by direct permission, as the two lists tell it. */
async function told(user: string) {
  const { memberships } = await send<MembershipPageDto>('GET', `/api/users/${user}/memberships?limit=200`);
  const { permissions } = await send<HeldPermissionsDto>('GET', `/api/users/${user}/permissions?limit=200`);
  const places = new Map<string, Fact>();
  for (const { workspace, groups } of memberships) {
    places.set(`workspace ${workspace.id} ${workspace.name}`, { until: workspace.until });
    for (const { id, name, until } of groups) places.set(`group ${id} ${name} ${workspace.id}`, { until });
  }
  const direct = new Map<string, Fact>();
  const through: string[] = [];
  for (const { id, sources } of permissions) {
    for (const { since, actor, reason, ...source } of sources) {
      if (source.kind === 'user') direct.set(id, { since, actor, reason });
      else through.push(`${source.kind} ${source.id} gives ${id}`);
    }
  }
  return { places, direct, through: through.toSorted() };
}

/** The same, as the register tells it. */
function ofLines(lines: readonly AccessLine[]) {
  const places = new Map<string, Fact>();
  const direct = new Map<string, Fact>();
  const through: string[] = [];
  for (const { source, permissions, since, until, actor, reason } of lines) {
    if (source?.kind === 'direct') direct.set(String(permissions), { since, actor, reason });
    else if (source) {
      const key = [source.kind, source.id, source.name, source.workspace].filter(Boolean).join(' ');
      places.set(key, { until: until ?? undefined });
      through.push(...permissions.map((id) => `${source.kind} ${source.id} gives ${id}`));
    }
  }
  return { places, direct, through: through.toSorted() };
}

it('the register tells what the lists of each user tell, after any changes', async () => {
  for (const id of ['flo', 'gus']) await send('POST', '/api/users', { id });
  connection = await send('POST', '/api/scim-connections', { name: 'Okta', workspace: 'atlas' });
  const user = await send<{ id: string }>('POST', '/scim/v2/Users', { userName: 'hal' }, connection.token);
  const group = await send<{ id: string }>('POST', '/scim/v2/Groups', { displayName: 'Crew' }, connection.token);
  [scimUser, scimGroup] = [user.id, group.id];
  let [places, givers] = [0, 0];
  for (let step = 0; step < STEPS; step++) {
    await random.pick(STEPS_OF)();
    if (step % 10 !== 9) continue;
    const [ids, lines] = [await everybody(), await register()];
    expect([...new Set(lines.map(({ user }) => user.id))]).toEqual(ids);
    for (const id of ids) {
      const ofUser = lines.filter(({ user }) => user.id === id);
      const expected = await told(id);
      expect({ id, ...ofLines(ofUser) }).toEqual({ id, ...expected });
      const has = expected.places.size + expected.direct.size;
      expect(ofUser).toHaveLength(Math.max(has, 1));
      places += expected.places.size;
      givers += [...expected.direct.values()].filter(({ since }) => since).length;
    }
  }
  expect(places).toBeGreaterThan(50);
  expect(givers).toBeGreaterThan(10);
});
