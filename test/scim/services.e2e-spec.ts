import { eventually } from '../support/eventually';
import { type Provider, ScimApi } from './scim-api';

const api = ScimApi.forEachTest();
let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
});

const { service } = api;
const written = async (): Promise<string[]> => {
  const rows: { subject: string }[] = await service.dataSource.query('SELECT subject FROM calling_services ORDER BY 1');
  return rows.map(({ subject }) => subject);
};

/** The status of a call of a service. */
async function called(subject: string, scope = 'users:read', path = '/api/users'): Promise<number> {
  return (await api.send(service.tokenOf(subject, { scope }), 'GET', path)).status;
}

describe('the id of a service', () => {
  it.each([
    ['that only read', 'reader', 'users:read', '/api/users', 200],
    ['that administers and only read', 'administrator', 'users:administer', '/api/me', 200],
    ['that was refused for its right', 'curious', 'users:read', '/api/webhooks', 403],
  ])('%s is given to nobody by a connection that may not make administrators', async (_, id, scope, path, status) => {
    expect(await called(id, scope, path)).toBe(status);
    await eventually(async () => expect(await written()).toContain(id));
    expect(await okta.refusal('POST', '/Users', { userName: 'u', externalId: id })).toBe('403');
    await okta.create({ userName: 'u', externalId: `${id}-u` });
    const follow = { Operations: [{ op: 'replace', path: 'externalId', value: id }] };
    expect(await okta.refusal('PATCH', `/Users/${id}-u`, follow)).toBe('403');
    expect((await api.call('GET', `/users/${id}`)).status).toBe(404);
    expect(await called(id, scope, path)).toBe(status);
    await api.done('PATCH', `/scim-connections/${okta.connection}`, { mayGrantAdministrator: true });
    expect(await okta.refusal('PATCH', `/Users/${id}-u`, follow)).toBe('204');
    expect((await api.user(id)).id).toBe(id);
  });

  it('is written once, and only where somebody could have it', async () => {
    await called('once');
    await eventually(async () => expect(await written()).toContain('once'));
    await service.dataSource.query(`DELETE FROM calling_services WHERE subject = 'once'`);
    await called('once');
    await called('x'.repeat(256));
    await called('last');
    await eventually(async () => expect(await written()).toContain('last'));
    expect(await written()).not.toContain('once');
    expect((await written()).every((subject) => subject.length < 256)).toBe(true);
  });

  it('is not written for a person, or for whom no scope makes a service', async () => {
    expect(await called('ada')).toBe(200);
    expect(await called('stranger', 'openid')).toBe(401);
    await called('after');
    await eventually(async () => expect(await written()).toContain('after'));
    expect(await written()).not.toEqual(expect.arrayContaining(['ada']));
    expect(await written()).not.toEqual(expect.arrayContaining(['stranger']));
  });

  it('fails no request if it cannot be written, and is written by a later one', async () => {
    await service.dataSource.query('ALTER TABLE calling_services RENAME TO elsewhere');
    try {
      expect(await called('unlucky')).toBe(200);
      expect(await called('unlucky')).toBe(200);
    } finally {
      await service.dataSource.query('ALTER TABLE elsewhere RENAME TO calling_services');
    }
    await eventually(async () => {
      expect(await called('unlucky')).toBe(200);
      expect(await written()).toContain('unlucky');
    });
  });
});
