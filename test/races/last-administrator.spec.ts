import type { TestService } from '../support/test-service';
import { assign, manageStatus, post, STATUS_UPDATED } from '../support/ask';
import { revoke } from './acts';
import { describeOnServer } from '../support/describe-on-server';
import { useReplicas } from './replicas';
import { querySealed } from '../support/sealed';

const ROUNDS = 25;
const REFUSED = '{"status":"error","message":"The last active administrator cannot be deactivated."}';

describeOnServer('concurrent status changes on two replicas', () => {
  const replicas = useReplicas();

  beforeEach(async () => {
    const { directory } = replicas;
    await directory.clear();
    await directory.permission('administer', 'administrator');
    await directory.workspace('staff', ['administer']);
    await directory.user('ada', { type: 'administrator', permissions: ['administer'] });
    await directory.user('zoe', { type: 'administrator', permissions: ['administer'] });
    await directory.user('ben');
  });
  afterEach(() => expect(replicas.takeFailures()).toEqual([]));

  /** By a service, which needs no record in the directory, so that no caller is deactivated on the way. */
  async function toggle(service: TestService, id: string): Promise<string> {
    const token = service.serviceToken();
    const { status, text } = await manageStatus(service, token, { id, token });
    return `${status} ${text}`;
  }

  async function activeAdministrators(): Promise<string[]> {
    const rows: { id: string }[] = await replicas.query(
      `SELECT id FROM users WHERE type = 'administrator' AND status = 'active'`,
    );
    return rows.map(({ id }) => id);
  }

  const activateAll = () => replicas.query(`UPDATE users SET status = 'active'`);

  it('deactivate exactly one of two administrators', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await activateAll();
      const answers = await Promise.all([toggle(replicas.at(round), 'ada'), toggle(replicas.at(round + 1), 'zoe')]);
      expect(answers.toSorted()).toEqual([`200 ${STATUS_UPDATED}`, `409 ${REFUSED}`]);
      expect(await activeAdministrators()).toEqual([answers[0]?.startsWith('409') ? 'ada' : 'zoe']);
    }
  });

  it('deactivate exactly one of two administrators if both wait for the administrator guard', async () => {
    const gate = await replicas.gate('SELECT FROM administrator_guard FOR UPDATE');
    const answers = await gate.inTurn(
      () => toggle(replicas.at(0), 'ada'),
      () => toggle(replicas.at(1), 'zoe'),
    );
    expect(answers.toSorted()).toEqual([`200 ${STATUS_UPDATED}`, `409 ${REFUSED}`]);
    expect(await activeAdministrators()).toHaveLength(1);
  });

  it('remove exactly one of two administrators if one is deactivated and the other demoted', async () => {
    const demote = revoke('user', 'zoe', 'administer');
    for (let round = 0; round < ROUNDS / 2; round++) {
      await replicas.directory.clear();
      await replicas.directory.permission('administer', 'administrator');
      for (const id of ['ada', 'zoe']) {
        await replicas.directory.user(id, { type: 'administrator', permissions: ['administer'] });
      }
      const [deactivation, demotion] = await Promise.all([
        toggle(replicas.at(round), 'ada'),
        demote(replicas.at(round + 1)).catch((error: Error) => error.message),
      ]);
      const kept = [deactivation === `409 ${REFUSED}`, demotion === 'directory.last_administrator'];
      expect(kept.filter(Boolean)).toHaveLength(1);
      expect(await activeAdministrators()).toEqual([kept[0] ? 'ada' : 'zoe']);
      expect(await replicas.falseTypes()).toEqual([]);
    }
  });

  it('toggle a user once for each of 16 callers', async () => {
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'ben' FOR UPDATE`);
    const toggles = Array.from({ length: 16 }, (_, turn) => () => toggle(replicas.at(turn), 'ben'));
    expect(new Set(await gate.inTurn(...toggles))).toEqual(new Set([`200 ${STATUS_UPDATED}`]));
    const { users } = await replicas.directory.state();
    expect(users).toContainEqual({ id: 'ben', type: 'guest', status: 'active' });
  });

  it('set the status of the same administrator for two callers, and neither fails on the way', async () => {
    const gate = await replicas.gate('SELECT FROM administrator_guard FOR UPDATE');
    const body = { userIds: ['ada'], status: 'inactive' };
    const requests = replicas.both.map((service) => () => {
      const authorization = `Bearer ${service.serviceToken()}`;
      return post(`${service.url}/api/users/status-assign`, body, { authorization });
    });
    expect((await gate.inTurn(...requests)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('are in the journal before the changes to the same user that began earlier and waited', async () => {
    const [here, there] = replicas.both;
    const gate = await replicas.gate(`SELECT FROM workspaces WHERE id = 'staff' FOR UPDATE`);
    const assigned = await gate.during(
      () => assign(here, here.serviceToken(), { userIds: ['ben'], workspaces: ['staff'] }),
      async () => expect(await toggle(there, 'ben')).toBe(`200 ${STATUS_UPDATED}`),
    );
    expect(assigned.status).toBe(200);
    const entries: { action: string }[] = await querySealed(
      here.dataSource,
      `SELECT action FROM journal_changes WHERE user_id = 'ben' ORDER BY position DESC LIMIT 3`,
    );
    expect(entries.map(({ action }) => action)).toEqual([
      'user.type.changed',
      'user.workspaces.assigned',
      'user.status.changed',
    ]);
  });

  it('take effect for the next request of the deactivated user on either replica', async () => {
    const [here, there] = replicas.both;
    const tokens = [here.tokenOf('zoe'), there.tokenOf('zoe')];
    const body = { userIds: ['ben'], workspaces: ['staff'] };
    for (let round = 0; round < ROUNDS; round++) {
      await activateAll();
      expect((await assign(there, tokens[1], body)).status).toBe(200);
      expect(await toggle(replicas.at(round), 'zoe')).toBe(`200 ${STATUS_UPDATED}`);
      const answers = await Promise.all([assign(there, tokens[1], body), assign(here, tokens[0], body)]);
      expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    }
  });
});
