import { everyRow } from '../support/small-directory';
import { RecordTrial } from './record-trial';

const trial = RecordTrial.forEachTest();

describe('the last active administrator', () => {
  const REFUSED = { status: 409, body: { status: 409, message: 'At least one active administrator must remain.' } };

  it('can be neither deleted nor demoted', async () => {
    await trial.send('DELETE', '/api/workspaces/cosmos');
    const rows = await everyRow(trial.service);
    for (const [method, path, body] of [
      ['DELETE', '/api/users/ada', undefined],
      ['PATCH', '/api/users/ada', { permissions: [] }],
      ['PATCH', '/api/permissions/users.administer', { grants: 'manager' }],
      ['DELETE', '/api/permissions/users.administer', undefined],
    ] as const)
      expect(await trial.send(method, path, { body })).toMatchObject(REFUSED);
    expect(await everyRow(trial.service)).toEqual(rows);
  });

  it('is protected, while others can give up their own permission', async () => {
    expect((await trial.patch('/api/users/ada', { permissions: [] })).body).toMatchObject({ type: 'member' });
    expect((await trial.patch('/api/users/ada', {})).status).toBe(403);
    expect((await trial.send('DELETE', '/api/users/zoe', { caller: 'zoe' })).status).toBe(409);
  });

  it('cannot be deleted by a manager, nor by an administrator who was deleted', async () => {
    expect((await trial.send('DELETE', '/api/users/zoe', { caller: 'ben' })).status).toBe(403);
    expect((await trial.send('DELETE', '/api/users/zoe', { caller: 'zoe' })).status).toBe(204);
    expect((await trial.send('DELETE', '/api/users/ada', { caller: 'zoe' })).status).toBe(401);
  });

  it('restricts no change to others, nor to inactive administrators, where there is none', async () => {
    const { dataSource, serviceToken } = trial.service;
    await dataSource.query(`UPDATE users SET status = 'inactive' WHERE type = 'administrator'`);
    const token = serviceToken();
    for (const [method, path, body] of [
      ['POST', '/api/users/status-assign', { userIds: ['cyd', 'zoe'], status: 'inactive' }],
      ['POST', '/api/users/workspace-unassign', { userIds: ['zoe'], workspaces: ['cosmos'] }],
      ['PATCH', '/api/users/ada', { permissions: [] }],
      ['PATCH', '/api/users/ada', { permissions: ['users.administer'] }],
      ['DELETE', '/api/users/ada', undefined],
      ['POST', '/api/users/manage-status', { id: 'dee', token }],
      ['DELETE', '/api/users/ben', undefined],
    ] as const) {
      const { status } = await trial.send(method, path, { body, headers: { authorization: `Bearer ${token}` } });
      expect([method, path, status]).toEqual([method, path, method === 'DELETE' ? 204 : 200]);
    }
  });
});
