import type { Answer } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import type { TestService } from '../support/test-service';
import { type Provider, ScimApi } from '../scim/scim-api';
import { grant, load, put, revoke, setStatus, takeOut } from './acts';
import { useReplicas } from './replicas';
import { SeededRandom } from './seeded-random';

const ROUNDS = 12;
const AT_ONCE = 8;
const MEMBERS = ['ann', 'bob', 'cat'];

describeOnServer('groups of identity providers on two replicas', () => {
  const replicas = useReplicas();
  let okta: Provider;
  let group: string;

  beforeEach(async () => {
    await writeSmallDirectory(replicas.both[0]);
    okta = await ScimApi.at(replicas.at(0)).provider();
    for (const id of MEMBERS) await scim('POST', '/Users', { userName: id, externalId: id });
    const made = await scim('POST', '/Groups', { displayName: 'Engineers', members: [{ value: 'ann' }] });
    group = (JSON.parse(made.text) as { id: string }).id;
  });
  afterEach(async () => {
    expect(await replicas.falseTypes()).toEqual([]);
    expect(replicas.takeFailures()).toEqual([]);
  });

  function scim(method: string, path: string, body?: object, service: TestService = replicas.at(0)): Promise<Answer> {
    return okta.at(service).call(method, path, body);
  }

  const operation = (op: string, value?: unknown, path = 'members') => ({ Operations: [{ op, path, value }] });
  const BOB = `SELECT FROM users WHERE id = 'bob' FOR UPDATE`;

  it('who is taken out of a workspace waits for none of its groups, which come before users in the order of locks', async () => {
    const gate = await replicas.gate('SELECT FROM groups WHERE id = $1 FOR UPDATE', [group]);
    try {
      // A wait would end with the time-out of locks, and this with an error.
      await takeOut(['ann'], ['atlas'])(replicas.at(0));
    } finally {
      await gate.open();
    }
    const lost = await replicas.query<object[]>('SELECT FROM scim_lost_memberships');
    expect(lost).toHaveLength(2);
    expect((await scim('DELETE', `/Groups/${group}`)).status).toBe(204);
    expect(await replicas.query('SELECT FROM scim_lost_memberships')).toHaveLength(1);
  });

  it.each<[what: string, status: number, statement: string]>([
    ['its connection is deleted', 401, `DELETE FROM scim_connections`],
    ['the user is deleted', 400, `DELETE FROM users WHERE id = 'bob'`],
    ['its connection forgets the user', 400, `DELETE FROM scim_users WHERE id = 'bob'`],
  ])('an addition to a group changes nothing if %s while it waits', async (_, status, statement) => {
    const gate = await replicas.gate(BOB);
    const answer = await gate.during(
      () => scim('PATCH', `/Groups/${group}`, operation('add', ['cat', 'bob'])),
      () => gate.execute(statement),
    );
    expect(answer.status).toBe(status);
    expect(await replicas.query('SELECT FROM group_memberships')).toHaveLength(1);
  });

  it.each<[what: string, status: number, statement: string]>([
    ['is deleted', 404, 'DELETE FROM groups WHERE id = $1'],
    [
      'comes to make administrators',
      403,
      `INSERT INTO group_permissions (group_key, permission_key)
       SELECT g.key, p.key FROM groups AS g, permissions AS p WHERE g.id = $1 AND p.id = 'administer'`,
    ],
  ])('an addition to a group that %s while it waits is refused', async (_, status, statement) => {
    await replicas.query('DELETE FROM group_memberships');
    const gate = await replicas.gate('SELECT FROM groups WHERE id = $1 FOR UPDATE', [group]);
    const answer = await gate.during(
      () => scim('PATCH', `/Groups/${group}`, operation('add', ['bob'])),
      () => gate.execute(statement, [group]),
    );
    expect(answer.status).toBe(status);
    expect(await replicas.query('SELECT FROM group_memberships')).toEqual([]);
  });

  it('two namings at once do not both get a name', async () => {
    // Both write there, after they have looked at the names.
    const gate = await replicas.gate('LOCK scim_groups IN SHARE MODE');
    const renamed = { Operations: [{ op: 'replace', value: { displayName: ' makers\u00a0', externalId: 'x' } }] };
    const named = await gate.inTurn(
      () => scim('POST', '/Groups', { displayName: 'Makers' }, replicas.at(0)),
      () => scim('PATCH', `/Groups/${group}`, renamed, replicas.at(1)),
    );
    const statuses = named.map(({ status }) => status);
    expect(statuses).toEqual(statuses.includes(201) ? [201, 409] : [409, 204]);
  });

  it.each<[string, object]>([
    ['PATCH', operation('remove', undefined, 'members[value eq "ann"]')],
    ['PUT', { displayName: 'Engineers' }],
  ])('a %s takes the workspace from those whom an administrator takes out of the group first', async (method, body) => {
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'ann' FOR UPDATE`);
    const [, left] = await gate.inTurn(
      () => takeOut(['ann'], ['atlas'], [group])(replicas.at(1)),
      () => scim(method, `/Groups/${group}`, body),
    );
    expect(left.status).toBe(method === 'PUT' ? 200 : 204);
    expect(await replicas.query('SELECT FROM workspace_memberships')).toEqual([]);
  });

  it('a PUT without members waits for who joins, and clears the group of them', async () => {
    const gate = await replicas.gate(BOB);
    const [, cleared] = await gate.inTurn(
      () => put(['bob', 'ben'], ['atlas'], [group])(replicas.at(1)),
      () => scim('PUT', `/Groups/${group}`, { displayName: 'Engineers' }),
    );
    expect(cleared.status).toBe(200);
    // The connection does not know Ben.
    expect(
      await replicas.query('SELECT u.id FROM group_memberships AS m JOIN users AS u ON u.key = m.user_key'),
    ).toEqual([{ id: 'ben' }]);
  });

  it('a deletion waits for who joins, and then finds others in the group', async () => {
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'ben' FOR UPDATE`);
    const [, deleted] = await gate.inTurn(
      () => put(['ben'], ['atlas'], [group])(replicas.at(1)),
      () => scim('DELETE', `/Groups/${group}`),
    );
    expect(deleted.status).toBe(409);
  });

  it('meet administrators, imports and removals on the same users: nobody is in a group outside of its workspace', async () => {
    const random = new SeededRandom(11);
    const [service] = replicas.both;
    const before = await everyRow(service);
    const some = () => random.some(MEMBERS);
    for (let round = 0; round < ROUNDS; round++) {
      const acts = Array.from({ length: AT_ONCE }, (_, turn) => {
        const at = replicas.at(turn);
        const done = (act: (service: TestService) => Promise<void>) => act(at).then(() => 200);
        const patch = async (body: object, id = group) => (await scim('PATCH', `/Groups/${id}`, body, at)).status;
        return random.pick<() => Promise<number>>([
          () => patch(operation('add', some())),
          () => patch(operation('remove', some())),
          () => patch(operation('replace', some())),
          () => patch(operation('add', some()), 'atlas-managers'),
          () => patch(operation('remove'), 'atlas-managers'),
          () => patch(operation('replace', `Engineers ${round}`, 'displayName')),
          async () =>
            (
              await scim(
                'POST',
                '/Groups',
                { displayName: `G${random.below(3)}`, members: some().map((value) => ({ value })) },
                at,
              )
            ).status,
          async () =>
            (await scim('PUT', '/Users/ann', { userName: 'ann', externalId: 'ann', displayName: `${round}` }, at))
              .status,
          () => done(put(some(), ['atlas'], ['atlas-managers'])),
          () => done(takeOut(some(), ['atlas'])),
          () => done(setStatus(some(), random.pick(['active', 'inactive']))),
          () => done(grant('group', 'atlas-managers', 'read')),
          () => done(revoke('group', 'atlas-managers', 'read')),
          () => done(load({ user: { id: random.pick(MEMBERS), workspaces: ['atlas'], groups: ['atlas-managers'] } })),
        ])();
      });
      expect((await Promise.all(acts)).filter((status) => status >= 500)).toEqual([]);
    }
    expect(await everyRow(service)).not.toEqual(before);
    const outside: unknown[] = await service.dataSource.query(
      `SELECT FROM group_memberships AS m JOIN groups AS g ON g.key = m.group_key LEFT JOIN workspace_memberships AS w
         ON (w.user_key, w.workspace_key) = (m.user_key, g.workspace_key) WHERE w.user_key IS NULL`,
    );
    expect(outside).toEqual([]);
  });
});
