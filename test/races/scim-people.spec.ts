import type { Answer } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { writeSmallDirectory } from '../support/small-directory';
import { type Provider, ScimApi } from '../scim/scim-api';
import { useReplicas } from './replicas';
import { SeededRandom } from './seeded-random';

const ROUNDS = 40;
const AT_ONCE = 6;

const LOCKED = (...ids: string[]) => `SELECT FROM users WHERE id IN ('${ids.join("', '")}') FOR UPDATE`;

describeOnServer('people whom an identity provider sends at the same time on two replicas', () => {
  const replicas = useReplicas();
  let okta: Provider;

  beforeEach(async () => {
    await writeSmallDirectory(replicas.both[0]);
    okta = await connect();
  });
  afterEach(() => {
    // What another one has taken meanwhile is seen at the next attempt.
    expect(replicas.takeFailures().filter((state) => state !== '23505')).toEqual([]);
  });

  const connect = (body: object = {}) => ScimApi.at(replicas.at(0)).provider(body);

  function scim(replica: number, method: string, path: string, body?: object): Promise<Answer> {
    return okta.at(replicas.at(replica)).call(method, `/Users${path}`, body);
  }

  const person = (id: string, email = `${id}@x.io`) => ({ userName: id, externalId: id, emails: [{ value: email }] });
  const make = async (...ids: string[]) => {
    for (const id of ids) expect((await scim(0, 'POST', '', person(id))).status).toBe(201);
  };
  const emails = () =>
    replicas.query(`SELECT id, email FROM users WHERE email IS NOT NULL ORDER BY id`) as Promise<
      { id: string; email: string }[]
    >;
  const run = (statement: string, parameters?: unknown[]) =>
    replicas.query(statement, parameters) as Promise<unknown[]>;

  /** Both requests wait for the gate, so that each begins before the other ends. */
  async function atOnce(lock: string, ...requests: (() => Promise<Answer>)[]): Promise<number[]> {
    return (await (await replicas.gate(lock)).inTurn(...requests)).map(({ status }) => status);
  }

  it('swap their addresses', async () => {
    await make('a', 'b');
    const statuses = await atOnce(
      LOCKED('a', 'b'),
      () => scim(0, 'PUT', '/a', person('a', 'b@x.io')),
      () => scim(1, 'PUT', '/b', person('b', 'a@x.io')),
    );
    expect(statuses).toEqual([200, 200]);
    expect(await emails()).toEqual([
      { id: 'a', email: 'b@x.io' },
      { id: 'b', email: 'a@x.io' },
    ]);
  });

  it('give a leaver’s address to the newcomer, whoever is first', async () => {
    for (const isFirst of [true, false]) {
      await run(`DELETE FROM users WHERE id IN ('a', 'b')`);
      await make('a');
      const leaving = () => scim(0, 'DELETE', '/a');
      const joining = () => scim(1, 'POST', '', { ...person('b', 'a@x.io'), active: true });
      const statuses = await atOnce(LOCKED('a'), ...(isFirst ? [leaving, joining] : [joining, leaving]));
      expect(statuses.toSorted()).toEqual([201, 204]);
      expect(await emails()).toEqual([{ id: 'b', email: 'a@x.io' }]);
    }
  });

  it('do not get the record of somebody who leaves meanwhile', async () => {
    okta = await connect({ idFrom: 'userName' });
    await make('a');
    const statuses = await atOnce(
      LOCKED('a'),
      () => scim(0, 'DELETE', '/a'),
      () => scim(1, 'POST', '', { ...person('a'), externalId: 'other' }),
    );
    expect(statuses).toEqual([204, 409]);
    expect(await run(`SELECT status FROM users WHERE id = 'a'`)).toEqual([{ status: 'inactive' }]);
  });

  it('leave, though somebody gets what they are sent with meanwhile', async () => {
    await make('a');
    for (const [sent, taking] of [
      [{ externalId: 'a2' }, `INSERT INTO users (id) VALUES ('a2')`],
      [{ emails: [{ value: 'a3@x.io' }] }, `INSERT INTO users (id, email) VALUES ('a3', 'a3@x.io')`],
    ] as const) {
      await scim(0, 'PATCH', '/a', { Operations: [{ op: 'replace', value: { active: true } }] });
      const gate = await replicas.gate(taking);
      const left = await gate.during(() => scim(1, 'PUT', '/a', { ...person('a'), ...sent, active: false }));
      expect(left.status).toBe(200);
      expect(await run(`SELECT id, status, email FROM users WHERE email = 'a@x.io'`)).toEqual([
        { id: 'a', status: 'inactive', email: 'a@x.io' },
      ]);
    }
  });

  it('do not both get one external id', async () => {
    await make('a', 'b');
    const statuses = await atOnce(
      LOCKED('a', 'b'),
      () => scim(0, 'PUT', '/a', { ...person('a'), externalId: 'c' }),
      () => scim(1, 'PUT', '/b', { ...person('b'), externalId: 'c' }),
    );
    expect(statuses.toSorted()).toEqual([200, 409]);
    expect(await run(`SELECT id FROM users WHERE id = 'c'`)).toHaveLength(1);
  });

  it('are remembered by a connection that ends while they leave', async () => {
    await make('a');
    const gate = await replicas.gate(LOCKED('a'));
    const left = await gate.during(
      () => scim(0, 'PATCH', '/a', { Operations: [{ op: 'replace', value: { active: false } }] }),
      () => run('DELETE FROM scim_connections WHERE id = $1', [okta.connection]),
    );
    expect(left.status).toBe(401);
    expect(await run('SELECT FROM scim_leavers')).toEqual([]);
    expect(await run(`SELECT status FROM users WHERE id = 'a'`)).toEqual([{ status: 'active' }]);
  });

  it('have each address once, and no active one waits for what nobody active has', async () => {
    const random = new SeededRandom(36);
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const addresses = ['1@x.io', '2@x.io', '3@x.io'];
    for (let round = 0; round < ROUNDS; round++) {
      const acts = Array.from({ length: AT_ONCE }, (_, turn) => {
        const id = random.pick(ids);
        const whole = person(id, random.pick(addresses));
        const active = random.below(3) > 0;
        return random.pick([
          () => scim(turn, 'POST', '', { ...whole, active: true }),
          () => scim(turn, 'PUT', `/${id}`, whole),
          () => scim(turn, 'PUT', `/${id}`, { ...whole, active }),
          () => scim(turn, 'PATCH', `/${id}`, { Operations: [{ op: 'replace', value: { active } }] }),
          () => scim(turn, 'DELETE', `/${id}`),
        ])();
      });
      const statuses = (await Promise.all(acts)).map(({ status }) => status);
      expect(statuses.filter((status) => ![200, 201, 204, 404, 409].includes(status))).toEqual([]);
      // An active user who is sent with an address has it, or another active one does. Who does not have it waits for it.
      const wrong = await run(`
        SELECT u.id, u.status, u.email, p.waits_for, address FROM scim_users AS p JOIN users AS u ON u.key = p.user_key
        CROSS JOIN LATERAL (SELECT p.resource -> 'emails' -> 0 ->> 'value' AS address) AS sent
        WHERE (u.email IS NOT NULL AND u.email <> address) OR (u.email IS NULL) <> (waits_for IS NOT NULL)
          OR (u.status = 'active' AND NOT EXISTS (
            SELECT FROM users AS owner JOIN scim_users AS k ON k.user_key = owner.key WHERE owner.email = address AND owner.status = 'active'))`);
      expect(wrong).toEqual([]);
    }
  });
});
