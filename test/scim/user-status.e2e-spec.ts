import { type Provider, ScimApi, work } from './scim-api';

const api = ScimApi.forEachTest({ environment: { JWT_SERVICE_SUBJECTS: 'payroll' } });

let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
});

describe('whether a user is active', () => {
  const statusOf = async () => (await api.user('u')).status;
  const setByHand = (status: string) => api.done('POST', '/users/status-assign', { userIds: ['u'], status });

  it('changes only where the provider says something else than last', async () => {
    const whole = { userName: 'u', externalId: 'u', active: true };
    await okta.create(whole);
    await setByHand('inactive');
    await okta.done('PUT', '/Users/u', { ...whole, title: 'Dr' });
    await okta.patch('u', { op: 'replace', path: 'active', value: true });
    await okta.patch('u', { op: 'replace', path: 'title', value: 'Prof' });
    expect([await statusOf(), (await okta.done('GET', '/Users/u')).active]).toEqual(['inactive', false]);
    await okta.done('PUT', '/Users/u', { ...whole, active: false });
    await okta.done('PUT', '/Users/u', whole);
    expect(await statusOf()).toBe('active');
    await okta.patch('u', { op: 'replace', value: { active: false } });
    await setByHand('active');
    await okta.done('PUT', '/Users/u', { userName: 'u', externalId: 'u' });
    expect(await statusOf()).toBe('active');
  });

  it('is not changed by `true` for somebody taken over of whom the provider never said `false`', async () => {
    const whole = { userName: 'c', externalId: 'cyd' };
    expect(await okta.create(whole)).toMatchObject({ id: 'cyd', active: false });
    expect(await okta.done('PUT', '/Users/cyd', { ...whole, active: true })).toMatchObject({ active: false });
    await okta.done('PUT', '/Users/cyd', { ...whole, active: false });
    expect(await okta.done('PUT', '/Users/cyd', { ...whole, active: true })).toMatchObject({ active: true });
  });

  it('always counts in a POST', async () => {
    await okta.create({ userName: 'u', externalId: 'u', active: false });
    expect(await statusOf()).toBe('inactive');
    await okta.done('DELETE', '/Users/u');
    await setByHand('active');
    await okta.create({ userName: 'u', externalId: 'u', active: false });
    expect(await statusOf()).toBe('inactive');
  });
});

describe('an administrator', () => {
  const activeAdministrators = async () =>
    (await api.service.dataSource.query(
      `SELECT id FROM users WHERE type = 'administrator' AND status = 'active' ORDER BY id`,
    )) as { id: string }[];
  const makeAdministrator = (id: string) => api.done('PATCH', `/users/${id}`, { permissions: ['administer'] });

  it('is not taken over by id or email, nor changed or activated, and nothing is written', async () => {
    await api.done('PATCH', '/users/zoe', { email: 'zoe@x.io' });
    await okta.create({ userName: 'a', externalId: 'a' });
    await makeAdministrator('a');
    const before = await api.service.dataSource.query('SELECT * FROM users ORDER BY key');
    for (const [method, path, body] of [
      ['POST', '', { userName: 'z', externalId: 'zoe' }],
      ['POST', '', { userName: 'z', externalId: 'zoe', active: false }],
      ['POST', '', { userName: 'z', emails: [work('ZOE@x.io')] }],
      ['POST', '', { userName: 'z', externalId: 'old-admin', active: true }],
      ['POST', '', { userName: 'z', externalId: 'payroll' }],
      ['PUT', '/a', { userName: 'a', externalId: 'a', emails: [work('evil@x.io')] }],
      ['PUT', '/a', { userName: 'b', externalId: 'a' }],
      ['PATCH', '/a', { Operations: [{ op: 'add', path: 'title', value: 'x' }] }],
    ] as const)
      expect([body, await okta.refusal(method, `/Users${path}`, body)]).toEqual([body, '403']);
    expect(await api.service.dataSource.query('SELECT * FROM users ORDER BY key')).toEqual(before);
    // What changes nothing is no change.
    await okta.done('PUT', '/Users/a', { userName: 'a', externalId: 'a', active: true });
  });

  it('is always deactivated, with nothing else of the record, and not activated again', async () => {
    const whole = { userName: 'a', externalId: 'a', emails: [work('a@x.io')] };
    await okta.create(whole);
    await makeAdministrator('a');
    await okta.done('PUT', '/Users/a', { ...whole, emails: [work('evil@x.io')], active: false });
    expect(await api.user('a')).toMatchObject({ status: 'inactive', email: 'a@x.io' });
    expect(await okta.refusal('PATCH', '/Users/a', { Operations: [{ op: 'replace', value: { active: true } }] })).toBe(
      '403',
    );
    expect(await api.user('a')).toMatchObject({ status: 'inactive' });
    expect((await okta.call('DELETE', '/Users/a')).status).toBe(204);
  });

  it('may be kept by a connection that may, but the last one stays', async () => {
    const may = await api.provider({ mayGrantAdministrator: true });
    expect(await may.create({ userName: 'z', externalId: 'zoe' })).toMatchObject({ id: 'zoe', active: true });
    expect(await may.create({ userName: 'p', externalId: 'payroll' })).toMatchObject({ id: 'payroll' });
    await may.done('PUT', '/Users/zoe', { userName: 'z', displayName: 'Zoe', active: false });
    await may.done('PUT', '/Users/zoe', { userName: 'z', displayName: 'Zoe', active: true });
    await api.done('POST', '/users/status-assign', { userIds: ['ada'], status: 'inactive' }).catch(() => undefined);
    expect(await activeAdministrators()).toEqual([{ id: 'zoe' }]);
    expect(
      await may.refusal('PATCH', '/Users/zoe', { Operations: [{ op: 'replace', value: { active: false } }] }),
    ).toBe('409');
    expect(await may.refusal('DELETE', '/Users/zoe')).toBe('409');
    expect(await activeAdministrators()).toEqual([{ id: 'zoe' }]);
    expect(await may.done('GET', '/Users/zoe')).toMatchObject({ active: true });
  });
});

describe('a leaver, whatever else the provider says', () => {
  const p2 = { userName: 'p2', externalId: 'p2', emails: [work('p2@x.io')] };
  const CONFLICTS: [what: string, sent: object][] = [
    ['the address of a user of no connection', { emails: [work('max@x.io')] }],
    ['the address of another user of the connection', { emails: [work('p1@x.io')] }],
    ['the name of another', { userName: 'P1' }],
    ['the external id of another', { externalId: 'p1' }],
    ['an id that is taken', { externalId: 'ben' }],
    ['the id of a service', { externalId: 'payroll' }],
  ];

  beforeEach(async () => {
    await api.done('PATCH', '/users/max', { email: 'max@x.io' });
    await okta.create({ userName: 'p1', externalId: 'p1', emails: [work('p1@x.io')] });
    await okta.create(p2);
  });

  describe.each(CONFLICTS)('with %s', (what, sent) => {
    const whole = { ...p2, title: 'Dr', active: false, ...sent };
    const waits = what.includes('another user of');
    const isDeactivated = async () => {
      expect(await api.user('p2')).toMatchObject({ id: 'p2', status: 'inactive', email: waits ? null : 'p2@x.io' });
      const { userName, externalId, emails } = whole;
      const kept = { ...p2, title: 'Dr', active: false, emails };
      expect(await okta.done('GET', '/Users/p2')).toMatchObject(waits ? { ...kept, userName, externalId } : kept);
    };

    it('is deactivated by PUT', async () => {
      expect(await okta.done('PUT', '/Users/p2', whole)).toMatchObject({ active: false });
      await isDeactivated();
      expect(await okta.done('PUT', '/Users/p2', whole)).toMatchObject({ active: false });
      if (!waits)
        expect(await okta.refusal('PUT', '/Users/p2', { ...whole, active: true })).toMatch(/409 uniqueness|403/);
    });

    it('is deactivated by PATCH', async () => {
      expect(await okta.patch('p2', { op: 'replace', value: { ...sent, title: 'Dr', active: 'False' } })).toMatchObject(
        {
          status: 204,
        },
      );
      await isDeactivated();
    });
  });

  it('is not spared by a conflict in a POST, nor by what is malformed', async () => {
    const created = { userName: 'P1', externalId: 'p3', active: false };
    expect(await okta.refusal('POST', '/Users', created)).toBe('409 uniqueness');
    expect(await okta.refusal('PUT', '/Users/p2', { ...p2, userName: '', active: false })).toBe('400 invalidValue');
    expect(await api.user('p2')).toMatchObject({ status: 'active' });
  });

  it('takes what is free', async () => {
    await okta.done('PUT', '/Users/p2', { userName: 'p3', externalId: 'p4', emails: [work('p5@x.io')], active: false });
    expect(await api.user('p4')).toMatchObject({ id: 'p4', email: 'p5@x.io', status: 'inactive' });
    expect(await okta.done('GET', '/Users/p2')).toMatchObject({ userName: 'p3', externalId: 'p4' });
  });

  it.each([
    ['PUT', { ...p2, active: false }],
    ['PATCH', { Operations: [{ op: 'replace', path: 'active', value: false }] }],
    ['PATCH', { Operations: [{ op: 'replace', value: { active: 'False' } }] }],
  ])('is deactivated again, who was activated here since: %s %j', async (method, body) => {
    await okta.patch('p2', { op: 'replace', value: { active: false } });
    await api.done('POST', '/users/status-assign', { userIds: ['p2'], status: 'active' });
    await okta.patch('p2', { op: 'replace', path: 'title', value: 'Dr' });
    expect(await api.user('p2')).toMatchObject({ status: 'active' });
    expect(await okta.refusal(method, '/Users/p2', body)).toMatch(/^20[04]$/);
    expect(await api.user('p2')).toMatchObject({ status: 'inactive' });
  });
});

describe('an administrator whom the connection may not change', () => {
  const whole = { userName: 'a', externalId: 'a', emails: [work('a@x.io')], displayName: 'A' };
  const deactivation = { op: 'replace', path: 'active', value: 'False' };

  beforeEach(async () => {
    await okta.create(whole);
    await api.done('PATCH', '/users/a', { permissions: ['administer'] });
  });

  it('is deactivated by a request that says it, and nothing else of it counts', async () => {
    const more = { title: 'Dr', displayName: 'B', userName: 'b', externalId: 'b', emails: [work('b@x.io')] };
    const answer = await okta.done('PUT', '/Users/a', { ...more, active: false });
    expect(answer).toMatchObject({ ...whole, active: false });
    expect(answer).not.toHaveProperty('title');
    expect(await api.user('a')).toMatchObject({ status: 'inactive', email: 'a@x.io', displayName: 'A' });
    for (let cycle = 0; cycle < 2; cycle++) {
      expect(await okta.patch('a', deactivation)).toMatchObject({ status: 204 });
      expect(await okta.done('PUT', '/Users/a', { ...more, active: false })).toMatchObject({ ...whole, active: false });
    }
    expect(await okta.refusal('PUT', '/Users/a', { ...whole, active: true })).toBe('403');
    expect(await api.user('a')).toMatchObject({ status: 'inactive' });
  });

  it('who is inactive already is no reason to refuse', async () => {
    await api.done('POST', '/users/status-assign', { userIds: ['a'], status: 'inactive' });
    expect(await okta.patch('a', deactivation)).toMatchObject({ status: 204 });
    await api.done('POST', '/users/status-assign', { userIds: ['a'], status: 'active' });
    expect(await okta.done('PUT', '/Users/a', { ...whole, active: true })).toMatchObject({ active: true });
    expect(await okta.patch('a', deactivation)).toMatchObject({ status: 204 });
    expect(await api.user('a')).toMatchObject({ status: 'inactive' });
  });

  const waiting = { userName: 'w', externalId: 'w', emails: [work('A@x.io')], displayName: 'W' };
  const other = { userName: 'a', externalId: 'a', emails: [work('b@x.io')], displayName: 'A' };
  it.each<[how: string, free: () => Promise<unknown>]>([
    ['is still another’s', () => Promise.resolve()],
    ['is free', () => okta.done('PUT', '/Users/a', other)],
    ['is an inactive user’s', () => okta.patch('a', deactivation)],
    ['is that of somebody who has left', () => okta.done('DELETE', '/Users/a')],
    [
      'is a stranger’s',
      async () => {
        await okta.done('PUT', '/Users/a', other);
        await api.done('POST', '/users', { id: 'stranger', email: 'a@x.io' });
      },
    ],
  ])('and who waits for an address that %s is not refused what changes nothing', async (_, free) => {
    await api.done('PATCH', '/users/a', { permissions: [] });
    const made = await okta.create(waiting);
    await api.done('PATCH', '/users/w', { permissions: ['administer'] });
    await free();
    const before = await api.user('w');
    expect(before).toMatchObject({ email: null, type: 'administrator' });
    for (let turn = 0; turn < 2; turn++) {
      expect(await okta.done('PUT', '/Users/w', waiting)).toMatchObject({ ...waiting, id: made.id });
      const same = { op: 'replace', path: 'emails', value: waiting.emails };
      expect(await okta.patch('w', same)).toMatchObject({ status: 204 });
      expect(await okta.patch('w', { op: 'replace', path: 'displayName', value: 'W' })).toMatchObject({ status: 204 });
    }
    expect(await okta.refusal('PUT', '/Users/w', { ...waiting, emails: [work('c@x.io')] })).toBe('403');
    expect(await okta.refusal('PUT', '/Users/w', { ...waiting, displayName: 'V' })).toBe('403');
    expect(await api.user('w')).toEqual(before);
  });

  it('and who is inactive is not refused what changes nothing while another waits for the address', async () => {
    await okta.create(waiting);
    await api.done('POST', '/users/status-assign', { userIds: ['a'], status: 'inactive' });
    expect(await okta.done('PUT', '/Users/a', whole)).toMatchObject({ ...whole, active: false });
    expect(await api.user('a')).toMatchObject({ email: 'a@x.io', status: 'inactive' });
  });
});

describe('an inactive holder of the permission that makes readers', () => {
  const READ = 'users.read';
  const person = { userName: 'r', externalId: 'r' };
  const activation = { op: 'replace', path: 'active', value: 'True' };
  const hold = {
    directly: () => api.done('PATCH', '/users/r', { permissions: [READ] }),
    'through a workspace': async () => {
      await api.done('PATCH', '/workspaces/borealis', { permissions: [READ] });
      await api.done('POST', '/users/workspace-assign', { userIds: ['r'], workspaces: ['borealis'] });
    },
  };
  const deactivate = () => okta.patch('r', { ...activation, value: false });
  const acts = {
    'a PATCH': () => okta.refusal('PATCH', '/Users/r', { Operations: [activation] }),
    'a PUT': () => okta.refusal('PUT', '/Users/r', { ...person, title: 'Dr', active: true }),
    'coming back': async () => {
      await okta.done('DELETE', '/Users/r');
      return okta.refusal('POST', '/Users', person);
    },
    'being taken over': async () => {
      await api.service.dataSource.query('DELETE FROM scim_users');
      return okta.refusal('POST', '/Users', { ...person, active: true });
    },
  };

  beforeEach(async () => {
    await api.service.directory.permission(READ, 'guest');
    await okta.create(person);
  });

  it.each(
    Object.keys(hold).flatMap((way) =>
      Object.keys(acts).map((act) => [way, act] as [keyof typeof hold, keyof typeof acts]),
    ),
  )('%s is not activated by %s, but by a connection that may make administrators', async (way, act) => {
    await deactivate();
    await hold[way]();
    expect(await acts[act]()).toBe('403');
    expect(await api.user('r')).toMatchObject({ status: 'inactive' });
    expect(await okta.refusal('PUT', '/Users/r', { ...person, active: false })).toMatch(/^(200|404)$/);
    await api.done('PATCH', `/scim-connections/${okta.connection}`, { mayGrantAdministrator: true });
    expect(await acts[act === 'coming back' ? 'being taken over' : act]()).toMatch(/^20[014]$/);
    expect(await api.user('r')).toMatchObject({ status: 'active' });
  });

  it('is no reader yet, whom a group would make one; who is active is one already', async () => {
    const { id } = await okta.done('POST', '/Groups', { displayName: 'Auditors' });
    await api.done('PATCH', `/groups/${id}`, { permissions: [READ] });
    await hold.directly();
    const add = { Operations: [{ op: 'add', path: 'members', value: [{ value: 'r' }] }] };
    await deactivate();
    expect(await okta.refusal('PATCH', `/Groups/${id}`, add)).toBe('403');
    await api.done('POST', '/users/status-assign', { userIds: ['r'], status: 'active' });
    expect(await okta.done('PUT', '/Users/r', { ...person, title: 'Dr' })).toMatchObject({ title: 'Dr', active: true });
    expect(await okta.refusal('PATCH', `/Groups/${id}`, add)).toBe('204');
    expect(await okta.patch('r', { op: 'replace', path: 'active', value: false })).toMatchObject({ status: 204 });
  });
});
