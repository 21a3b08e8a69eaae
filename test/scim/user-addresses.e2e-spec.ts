import { type Provider, ScimApi, work } from './scim-api';

const api = ScimApi.forEachTest();

let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
});

describe('our email', () => {
  it.each([
    ['the primary one', [work('a@x.io', false), { value: 'b@x.io', primary: true }], 'b@x.io'],
    ['else the first for work', [{ value: 'a@x.io' }, work('b@x.io', false)], 'b@x.io'],
    ['else the first', [{ value: 'a@x.io', type: 'home' }, { value: 'b@x.io' }], 'a@x.io'],
    ['the first that can be one', [work('mailto:a@x.io'), work('', false), { value: 'b@x.io' }], 'b@x.io'],
    ['trimmed', [work(' a@x.io\u00a0')], 'a@x.io'],
    ['none with a no-break space', [work('a\u00a0@x.io')], null],
    ['none of another user of the connection', [work('TAKEN@x.io')], null],
    ['none', undefined, null],
  ])('is %s', async (_, emails, expected) => {
    await okta.create({ userName: 'other', externalId: 'other', emails: [work('taken@x.io')] });
    const made = await okta.create({ userName: 'u', externalId: 'u', emails });
    expect(made.emails).toEqual(emails);
    expect(await api.user('u')).toMatchObject({ email: expected });
    await okta.done('PUT', '/Users/u', { userName: 'u', emails: [work('own@x.io')] });
    expect(await okta.done('PUT', '/Users/u', { userName: 'u', emails })).not.toHaveProperty('externalId');
    expect(await api.user('u')).toMatchObject({ email: expected });
  });

  it('of any other user is refused, and a patch of something else leaves what an administrator changed', async () => {
    await api.done('PATCH', '/users/max', { email: 'max@x.io' });
    await okta.create({ userName: 'u', externalId: 'u', emails: [work('u@x.io')] });
    expect(await okta.refusal('PUT', '/Users/u', { userName: 'u', emails: [work('max@x.io')] })).toBe('409 uniqueness');
    await api.done('PATCH', '/users/u', { email: 'by-hand@x.io', displayName: 'By hand' });
    await okta.patch('u', { op: 'add', path: 'title', value: 'Dr' });
    expect(await api.user('u')).toMatchObject({ email: 'by-hand@x.io', displayName: 'By hand' });
    await okta.done('PUT', '/Users/u', { userName: 'u', displayName: 'U', emails: [work('u@x.io')] });
    expect(await api.user('u')).toMatchObject({ email: 'u@x.io', displayName: 'U' });
  });
});

describe('an address that moves', () => {
  const emailsOf = async (...ids: string[]) => Promise.all(ids.map(async (id) => (await api.user(id)).email));
  const person = (id: string, email = `${id}@x.io`) => ({ userName: id, externalId: id, emails: [work(email)] });
  const put = (id: string, email: string, more: object = {}) =>
    okta.done('PUT', `/Users/${id}`, { ...person(id, email), ...more });
  const patch = (id: string, email: string) =>
    okta.patch(id, { op: 'replace', path: 'emails[type eq "work"].value', value: email });
  const setActive = (id: string, active: boolean) => okta.patch(id, { op: 'replace', value: { active } });

  beforeEach(async () => {
    for (const id of ['a', 'b', 'c']) await okta.create(person(id));
  });

  it.each([
    ['PUT', put],
    ['PATCH', patch],
  ])('is swapped by %s', async (_, set) => {
    await set('a', 'b@x.io');
    expect(await emailsOf('a', 'b')).toEqual([null, 'b@x.io']);
    expect((await okta.done('GET', '/Users/a')).emails).toEqual([work('b@x.io')]);
    await set('b', 'a@x.io');
    expect(await emailsOf('a', 'b')).toEqual(['b@x.io', 'a@x.io']);
    const changes = (await api.newestEntries(2)).map(({ user, before, after }) => [user, before, after]);
    expect(changes).toEqual([
      ['b', { email: 'b@x.io' }, { email: 'a@x.io' }],
      ['a', { email: null }, { email: 'b@x.io' }],
    ]);
  });

  it('goes along a chain, and to who has waited longest', async () => {
    await put('a', 'b@x.io');
    await put('b', 'c@x.io');
    expect(await emailsOf('a', 'b', 'c')).toEqual(['b@x.io', null, 'c@x.io']);
    await put('a', 'c@x.io');
    await put('c', 'd@x.io');
    expect(await emailsOf('a', 'b', 'c')).toEqual([null, 'c@x.io', 'd@x.io']);
    await okta.done('DELETE', '/Users/b');
    expect(await emailsOf('a', 'b', 'c')).toEqual(['c@x.io', null, 'd@x.io']);
  });

  it('is given up by an inactive user at once, who waits from being active again', async () => {
    await put('b', 'a@x.io');
    await setActive('a', false);
    await put('c', 'a@x.io');
    expect(await emailsOf('a', 'b', 'c')).toEqual([null, 'a@x.io', null]);
    await setActive('a', true);
    expect(await emailsOf('a', 'b', 'c')).toEqual([null, 'a@x.io', null]);
    await put('b', 'b@x.io');
    expect(await emailsOf('a', 'b', 'c')).toEqual([null, 'b@x.io', 'a@x.io']);
    await put('c', 'c@x.io');
    expect(await emailsOf('a', 'b', 'c')).toEqual(['a@x.io', 'b@x.io', 'c@x.io']);
  });

  it('stays with who has it among inactive users, and goes to the one who becomes active', async () => {
    await setActive('a', false);
    await setActive('b', false);
    await put('b', 'a@x.io');
    expect(await emailsOf('a', 'b')).toEqual(['a@x.io', null]);
    await setActive('b', true);
    expect(await emailsOf('a', 'b')).toEqual([null, 'a@x.io']);
    expect(await okta.refusal('POST', '/Users', { ...person('d', 'a@x.io'), active: false })).toBe('201');
    expect(await emailsOf('b', 'd')).toEqual(['a@x.io', null]);
    await put('c', 'a@x.io');
    await setActive('a', true);
    await put('b', 'b@x.io');
    expect(await emailsOf('a', 'b', 'c')).toEqual([null, 'b@x.io', 'a@x.io']);
  });

  it('of a leaver goes to who waits, by DELETE, and to a newcomer', async () => {
    await put('b', 'a@x.io');
    await okta.done('DELETE', '/Users/a');
    expect(await emailsOf('a', 'b')).toEqual([null, 'a@x.io']);
    await okta.done('DELETE', '/Users/c');
    expect(await emailsOf('c')).toEqual(['c@x.io']);
    expect(await patch('b', 'c@x.io')).toMatchObject({ status: 204 });
    expect(await emailsOf('b', 'c')).toEqual(['c@x.io', null]);
  });

  it('that an administrator frees goes to who waits, with the next request about that one', async () => {
    await put('b', 'a@x.io');
    await put('c', 'a@x.io');
    await api.done('PATCH', '/users/a', { email: 'by-hand@x.io' });
    expect(await emailsOf('b', 'c')).toEqual([null, null]);
    await okta.patch('b', { op: 'replace', path: 'title', value: 'Dr' });
    expect(await emailsOf('b', 'c')).toEqual(['a@x.io', null]);
    await api.done('PATCH', '/users/b', { email: null });
    expect(await emailsOf('b', 'c')).toEqual([null, null]);
    await put('a', 'a@x.io');
    // Who has waited for less time does not come first.
    expect(await emailsOf('a', 'c')).toEqual([null, 'a@x.io']);
  });

  it('of a user whom the connection does not know is refused alike, and nothing changes', async () => {
    await api.done('POST', '/users', { id: 'other', email: 'other@x.io' });
    const before = await api.service.dataSource.query('SELECT * FROM users ORDER BY key');
    for (const email of ['other@x.io', 'OTHER@x.io']) {
      expect(await okta.refusal('PUT', '/Users/a', person('a', email))).toBe('409 uniqueness');
      const operation = { op: 'replace', path: 'emails', value: [work(email)] };
      expect(await okta.refusal('PATCH', '/Users/a', { Operations: [operation] })).toBe('409 uniqueness');
    }
    const entra = await api.provider();
    expect(await entra.refusal('POST', '/Users', person('n', 'a@x.io'))).toBe('409 uniqueness');
    expect(await api.service.dataSource.query('SELECT * FROM users ORDER BY key')).toEqual(before);
    expect((await okta.done('GET', '/Users/a')).emails).toEqual([work('a@x.io')]);
  });

  it('that was somebody else’s meanwhile is refused where it is sent, and hinders nothing else', async () => {
    await put('b', 'a@x.io');
    await api.done('PATCH', '/users/a', { email: null });
    await api.done('POST', '/users', { id: 'other', email: 'a@x.io' });
    expect((await okta.patch('b', { op: 'replace', path: 'title', value: 'Dr' })).status).toBe(204);
    expect(await patch('b', 'a@x.io')).toMatchObject({ status: 409 });
    expect(await okta.refusal('PUT', '/Users/b', person('b', 'a@x.io'))).toBe('409 uniqueness');
    expect(await emailsOf('b', 'other')).toEqual([null, 'a@x.io']);
  });
});
