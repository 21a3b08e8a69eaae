import type { Answer } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import type { TestService } from '../support/test-service';
import { type Provider, ScimApi } from '../scim/scim-api';
import { load, setStatus } from './acts';
import { create, patch, toggle } from './record-acts';
import { useReplicas } from './replicas';
import { SeededRandom } from './seeded-random';

const ROUNDS = 12;
const AT_ONCE = 8;

const UNAUTHENTICATED = '401';
const BEN = `SELECT FROM users WHERE id = 'ben' FOR UPDATE`;

describeOnServer('identity providers on two replicas', () => {
  const replicas = useReplicas();
  let okta: Provider;
  let entra: Provider;

  beforeEach(async () => {
    await writeSmallDirectory(replicas.both[0]);
    okta = await ScimApi.at(replicas.at(0)).provider();
    entra = await ScimApi.at(replicas.at(0)).provider({ mayGrantAdministrator: true });
  });
  afterEach(async () => {
    expect(await replicas.falseTypes()).toEqual([]); // What another one has taken meanwhile is seen at the next attempt.
    expect(replicas.takeFailures().filter((state) => state !== '23505')).toEqual([]);
  });

  function scim(
    service: TestService,
    provider: Provider,
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer> {
    return provider.at(service).call(method, `/Users${path}`, body);
  }

  const statuses = (answers: Answer[]) => answers.map(({ status }) => String(status)).toSorted();
  const active = (value: boolean) => ({ Operations: [{ op: 'replace', value: { active: value } }] });
  const whoever = { userName: 'b', externalId: 'ben' };

  const CHANGES: [method: string, path: string, body: object | undefined][] = [
    ['POST', '', { userName: 'other', externalId: 'ben2', emails: [{ value: 'ben@x.io' }] }],
    ['PUT', '/ben', { userName: 'b', externalId: 'ben', displayName: 'Ben' }],
    ['PATCH', '/ben', active(false)],
    ['DELETE', '/ben', undefined],
  ];
  const ENDS: [name: string, statement: string][] = [
    ['is deleted', `DELETE FROM scim_connections WHERE id = $1`],
    [
      'ends with its workspace',
      `DELETE FROM workspaces WHERE key = (SELECT workspace_key FROM scim_connections WHERE id = $1)`,
    ],
    ['gets another token', `UPDATE scim_connections SET token_hash = '' WHERE id = $1`],
  ];

  describe.each(ENDS)('a connection that %s while its request waits', (_, end) => {
    it.each(CHANGES)('changes nothing: %s %s', async (method, path, body) => {
      const [service] = replicas.both;
      expect((await scim(service, okta, 'POST', '', whoever)).status).toBe(201);
      await service.dataSource.query(`UPDATE users SET email = 'ben@x.io' WHERE id = 'ben'`);
      // The email of a user of the connection is not taken over, so that request waits for a user of none.
      if (method === 'POST') await service.dataSource.query(`DELETE FROM scim_users`);
      const gate = await replicas.gate(BEN);
      let before: string[] = [];
      const answer = await gate.during(
        () => scim(service, okta, method, path, body),
        async () => {
          await service.dataSource.query(end, [okta.connection]);
          before = await everyRow(service);
        },
      );
      const after = await everyRow(service);
      expect([String(answer.status), after]).toEqual([UNAUTHENTICATED, before]);
    });
  });

  it.each([
    ['a user by the same id', whoever, whoever],
    [
      'a user by the same email',
      { userName: 'b', emails: [{ value: 'ben@x.io' }] },
      { userName: 'c', emails: [{ value: 'BEN@x.io' }] },
    ],
    ['a new user', { userName: 'n', externalId: 'new' }, { userName: 'n', externalId: 'new' }],
    ['a new email', { userName: 'n', emails: [{ value: 'n@x.io' }] }, { userName: 'n', emails: [{ value: 'N@x.io' }] }],
  ])('do not both get %s', async (_, one, other) => {
    await replicas.query(`UPDATE users SET email = 'ben@x.io' WHERE id = 'ben'`);
    const gate = await replicas.gate('LOCK scim_users IN SHARE MODE');
    const both = await gate.inTurn(
      () => scim(replicas.at(0), okta, 'POST', '', one),
      () => scim(replicas.at(1), entra, 'POST', '', other),
    );
    expect(statuses(both)).toEqual(['201', '409']);
    expect(await replicas.query('SELECT FROM scim_users')).toHaveLength(1);
  });

  it('of one provider make one user of two requests', async () => {
    const gate = await replicas.gate('LOCK scim_users IN SHARE MODE');
    const user = { userName: 'n', externalId: 'new', emails: [{ value: 'n@x.io' }] };
    const both = await gate.inTurn(...[0, 1].map((turn) => () => scim(replicas.at(turn), okta, 'POST', '', user)));
    expect(statuses(both)).toEqual(['201', '409']);
  });

  it('take over a user whom an administrator or an import makes meanwhile', async () => {
    for (const [id, email] of [
      ['kim', null],
      ['kai', 'k@x.io'],
    ] as const) {
      const gate = await replicas.gate('INSERT INTO users (id, email) VALUES ($1, $2)', [id, email]);
      const wanted = email ? { emails: [{ value: email }] } : { externalId: id };
      const answer = await gate.during(() => scim(replicas.at(0), okta, 'POST', '', { userName: id, ...wanted }));
      expect([answer.status, (JSON.parse(answer.text) as { id: string }).id]).toEqual([201, id]);
    }
  });

  it('judge the user as the user is then: one who becomes an administrator meanwhile is not changed', async () => {
    await scim(replicas.at(0), okta, 'POST', '', whoever);
    const promote = `UPDATE users SET type = 'administrator' WHERE id = 'ben'`;
    const gate = await replicas.gate(promote);
    const body = { ...whoever, displayName: 'Ben' };
    expect((await gate.during(() => scim(replicas.at(1), okta, 'PUT', '/ben', body))).status).toBe(403);
    await replicas.query(`UPDATE users SET type = 'guest' WHERE id = 'ben'`);
  });

  it('leave one active administrator, whoever goes first', async () => {
    for (const id of ['ada', 'zoe']) {
      expect((await scim(replicas.at(0), entra, 'POST', '', { userName: id, externalId: id })).status).toBe(201);
    }
    const gate = await replicas.gate('SELECT FROM administrator_guard FOR UPDATE');
    const left = await gate.inTurn(
      () => scim(replicas.at(0), entra, 'PATCH', '/ada', active(false)),
      () => scim(replicas.at(1), entra, 'DELETE', '/zoe'),
    );
    expect(statuses(left)).toEqual(['204', '409']);
    const remaining: unknown[] = await replicas.query(
      `SELECT FROM users WHERE type = 'administrator' AND status = 'active'`,
    );
    expect(remaining).toHaveLength(1);
  });

  it('meet administrators and imports on the same users, and nobody fails or is doubled', async () => {
    const random = new SeededRandom(30);
    const ids = ['ben', 'cyd', 'kim', 'lee'];
    for (let round = 0; round < ROUNDS; round++) {
      const acts = Array.from({ length: AT_ONCE }, (_, turn) => {
        const [service, id, provider] = [replicas.at(turn), random.pick(ids), random.pick([okta, entra])];
        const user = {
          userName: id,
          externalId: id,
          displayName: `${round}`,
          emails: [{ value: `${random.pick(ids)}@x.io` }],
        };
        const act = random.pick<() => Promise<number>>([
          async () => (await scim(service, provider, 'POST', '', user)).status,
          async () => (await scim(service, provider, 'PUT', `/${id}`, user)).status,
          async () => (await scim(service, provider, 'PATCH', `/${id}`, active(random.below(2) === 0))).status,
          async () => (await scim(service, provider, 'DELETE', `/${id}`)).status,
          () => create('/api/users', { id, email: `${id}@x.io` })(service),
          () =>
            patch(`/api/users/${id}`, {
              email: `${random.pick(ids)}@x.io`,
              permissions: [random.pick(['read', 'manage'])],
            })(service),
          () => toggle(id)(service),
          () => setStatus(['ben'], 'active')(service).then(() => 200),
          () => load({ user: { id: 'ben', displayName: `${round}`, workspaces: ['atlas'] } })(service).then(() => 200),
        ]);
        return act();
      });
      expect((await Promise.all(acts)).filter((status) => status >= 500)).toEqual([]);
    }
    const kept: { connections: string }[] = await replicas.query(
      `SELECT user_key, count(*) AS connections FROM scim_users GROUP BY user_key HAVING count(*) > 1`,
    );
    expect(kept).toEqual([]);
  });
});
