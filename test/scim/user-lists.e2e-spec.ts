import { type Provider, type Resource, ScimApi, work } from './scim-api';

const api = ScimApi.forEachTest();

let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
});

describe('the list of users', () => {
  const names = ({ Resources }: { Resources: Resource[] }) => Resources.map(({ userName }) => userName);

  beforeEach(async () => {
    for (const n of [1, 2, 3, 4, 5])
      await okta.create({
        userName: `u${n}`,
        externalId: `e${n}`,
        active: n !== 5,
        emails: [work(`u${n}@x.io`), { value: `h${n}@y.io`, type: 'home' }],
        name: { familyName: `F${n % 2}` },
      });
  });

  it('is read by index alone', async () => {
    expect(await okta.list({ startIndex: '2', count: '2' })).toMatchObject({
      totalResults: 5,
      itemsPerPage: 2,
      startIndex: 2,
    });
    expect(names(await okta.list({ startIndex: '2', count: '2' }))).toEqual(['u2', 'u3']);
    expect(names(await okta.list({ startIndex: '-7', count: '1' }))).toEqual(['u1']);
    expect(await okta.list({ startIndex: '6' })).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
    expect(await okta.list({ count: '0' })).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
    expect(await okta.list({ count: '-1' })).toMatchObject({ totalResults: 5, itemsPerPage: 0 });
    expect(names(await okta.list({ count: '1000000' }))).toHaveLength(5);

    const filter = 'active eq true';
    expect(names(await okta.list({ filter, startIndex: '3', count: '3' }))).toEqual(['u3', 'u4']);
    // An unknown parameter, as any other.
    for (const cursor of ['', 'next'])
      expect(await okta.list({ filter, count: '3', cursor })).toEqual(await okta.list({ filter, count: '3' }));
    for (const [query, refusal] of [
      [{ count: 'many' }, '400 invalidValue'],
      [{ filter: 'userName eq' }, '400 invalidFilter'],
      [{ filter: 'password eq "x"' }, '400 invalidFilter'],
      [{ filter: '('.repeat(900) }, '400 invalidFilter'],
      [{ filter: `userName eq "${'x'.repeat(1_000)}"` }, '400 invalidFilter'],
    ] as const)
      expect(await okta.refusal('GET', `/Users?${new URLSearchParams(query).toString()}`)).toBe(refusal);
  });

  it.each([
    ['userName eq "U2"', ['u2']],
    ['externalId eq "e2"', ['u2']],
    ['externalId eq "E2"', []],
    ['id eq "e2"', ['u2']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "u2"', ['u2']],
    ['emails eq "U3@x.io"', ['u3']],
    ['emails.value eq "h3@y.io"', ['u3']],
    ['emails[type eq "work"].value eq "u3@x.io"', ['u3']],
    ['emails[type eq "home"].value eq "u3@x.io"', []],
    ['emails[type eq "home" and value co "@x"]', []],
    ['emails.value eq "u1@x.io" or userName eq "u2"', ['u1', 'u2']],
    ['userName eq "u1" and active eq false', []],
    ['not (userName sw "u1") and active eq true', ['u2', 'u3', 'u4']],
    ['active eq "False"', ['u5']],
    ['name.familyName eq "f0"', ['u2', 'u4']],
    ['displayName eq "f0"', ['u2', 'u4']],
    ['meta.created gt "2020-01-01T00:00:00Z" and userName ew "3"', ['u3']],
    ['meta.lastModified lt "2020-01-01T00:00:00Z"', []],
    [`userName eq "'; DROP TABLE users; --"`, []],
    ['userName eq "u1\\u0000"', []],
  ])('finds by %s', async (filter, expected) => {
    expect(names(await okta.list({ filter }))).toEqual(expected);
    expect(await okta.list({ filter, count: '0' })).toMatchObject({ totalResults: expected.length });
  });
});
