import { Expiry } from '../../src/expiry/expiry';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';
import { assign } from '../support/ask';
import { HOUR, useEndsClock } from '../support/ends';
import { call } from '../support/record-calls';
import { useTestService } from '../support/test-service';

/** Whoever has `chief` in the id is an administrator, and whoever is in the workspace `staff`. */
class ChiefRule extends UserTypeRule {
  override readonly query = `SELECT key, (CASE WHEN id LIKE 'chief%' OR EXISTS (
      SELECT FROM workspace_memberships AS m JOIN workspaces AS w ON w.key = m.workspace_key
      WHERE m.user_key = users.key AND w.id = 'staff')
    THEN 'administrator' ELSE 'guest' END)::user_type AS type FROM users WHERE key = ANY ($1)`;
}

const service = useTestService({ userTypeRule: ChiefRule });
const clock = useEndsClock(service);
const carryOut = () => service.app.get(Expiry).carryOut();
const END = { until: HOUR };

beforeAll(() => service.app.get(Expiry).beforeApplicationShutdown());

beforeEach(async () => {
  const { directory, dataSource } = service;
  await directory.clear();
  await dataSource.query('DELETE FROM user_type_rule');
  await directory.workspace('staff');
  await directory.workspace('home');
  for (const id of ['ben', 'con', 'dan']) await directory.user(id);
});

const put = async (userIds: string[], workspaces: string[], more = {}): Promise<void> => {
  const { status } = await assign(service, service.serviceToken(), { userIds, workspaces, ...more });
  expect(status).toBe(200);
};
const me = async (caller: string) => (await call(service, 'GET', '/api/me', { caller })).body;
const stateOf = async (id: string) => {
  const { users, workspaces } = await service.directory.state();
  const { type } = (users as { id: string; type: string }[]).find((user) => user.id === id) ?? {};
  return [type, workspaces.filter((line) => line.startsWith(`${id} `))];
};

describe('with a rule of types of the application', () => {
  it('an administrator with a passed end of any membership counts as none until it is carried out', async () => {
    await service.directory.user('chief', { type: 'administrator' });
    await put(['con'], ['staff']);
    await put(['con'], ['home'], END);
    expect(await me('con')).toMatchObject({ administrator: true });
    await clock.advance(3700);
    expect(await me('con')).toMatchObject({ administrator: false, user: { type: 'guest' } });
    expect((await call(service, 'GET', '/api/users', { caller: 'con' })).status).toBe(403);
    expect((await call(service, 'DELETE', '/api/users/chief', { caller: 'chief' })).status).toBe(409);
    await carryOut();
    expect(await stateOf('con')).toEqual(['administrator', ['con in staff']]);
    expect(await me('con')).toMatchObject({ administrator: true });
  });

  it('an end that leaves the only administrator one is carried out, and another one is refused', async () => {
    await put(['con'], ['staff']);
    await put(['con', 'ben'], ['home'], END);
    await clock.advance(3700);
    expect(await me('con')).toMatchObject({ administrator: true });
    await carryOut();
    expect(await stateOf('con')).toEqual(['administrator', ['con in staff']]);

    await service.dataSource.query('DELETE FROM workspace_memberships');
    await service.dataSource.query(`UPDATE users SET type = 'guest'`);
    await clock.reset();
    await put(['con', 'dan'], ['staff'], END);
    await put(['ben'], ['home'], END);
    await clock.advance(3700);
    for (let round = 0; round < 2; round++) {
      expect(await me('con')).toMatchObject({ administrator: false });
      expect(await me('dan')).toMatchObject({ administrator: true });
      await carryOut();
      expect(await stateOf('ben')).toEqual(['guest', []]);
      expect(await stateOf('con')).toEqual(['guest', []]);
      expect(await stateOf('dan')).toEqual(['administrator', ['dan in staff']]);
    }
    await put(['ben'], ['staff']);
    await clock.advance(61);
    await carryOut();
    expect(await stateOf('dan')).toEqual(['guest', []]);
  });
});
