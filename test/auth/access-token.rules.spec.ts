import { type AccessClaims, readAccessClaims, TokenRefusedError } from '@user-administration/access-tokens';
import { claims } from '../support/token-trial';

describe('the user of a token', () => {
  it.each<[string, object, string | undefined]>([
    ['sub', {}, 'ada'],
    ['oid', { oid: 'f81d4fae' }, 'f81d4fae'],
    // `sub` does not replace it.
    ['oid', {}, undefined],
    ['email', { email: 'ada@example.com' }, 'ada@example.com'],
    ['email', { email: 'ada@example.com', email_verified: true }, 'ada@example.com'],
    ['sub', { email: 'ada@example.com', email_verified: false }, 'ada'],
  ])('is the claim %s of %j, while sub still identifies a service', (userClaim, more, userId) => {
    expect(read(more, { userClaim })).toMatchObject({ subject: 'ada', userId });
  });

  it.each<[string, object, string]>([
    ...['', null, 7, ['ada'], { id: 'ada' }, true].map((oid): [string, object, string] => [
      'oid',
      { oid },
      'oid is not a non-empty string',
    ]),
    ['oid', { sub: undefined, oid: 'x' }, 'sub is missing or not a string'],
    ['toString', {}, 'toString is not a non-empty string'],
    ['__proto__', {}, '__proto__ is not a non-empty string'],
    ['email', { email: 'ada@example.com', email_verified: false }, 'the email address is not verified'],
    ['email', { email: 'ada@example.com', email_verified: 'false' }, 'the email address is not verified'],
  ])('cannot be the claim %s of %j: %s', (userClaim, more, reason) => {
    expect(() => read(more, { userClaim })).toThrow(new TokenRefusedError(reason));
  });
});

describe('the scopes of a token', () => {
  it.each<[string, object, string[]]>([
    ['realm_access.roles', { realm_access: { roles: ['a', 'b'] } }, ['a', 'b']],
    ['a.b.c', { a: { b: { c: 'x y' } } }, ['x', 'y']],
    ['resource_access.my.app.roles', { resource_access: { 'my.app': { roles: ['a'] } } }, ['a']],
    // A claim of that name, though there is such a path, and though it has no scopes.
    ['a.b', { 'a.b': 'claim', a: { b: 'path' } }, ['claim']],
    ['a.b', { 'a.b': null, a: { b: 'path' } }, []],
    ['https://example.com/scopes', { 'https://example.com/scopes': 'x' }, ['x']],
    ['a.length', { a: 'text' }, []],
    ['a.0', { a: ['x'] }, []],
    ['a.b', { a: null }, []],
    ['a.b', { a: { b: { c: 'x' } } }, []],
    ['a.constructor.name', { a: {} }, []],
    ['a.b', { b: 'x' }, []],
  ])('are found at %s in %j', (scopeClaim, more, scopes) => {
    expect(read(more, { scopeClaim }).scopes).toEqual(scopes);
  });

  it.each<[unknown, string[]]>([
    ['a b:c', ['a', 'b:c']],
    [' a  b ', ['a', 'b']],
    [
      ['a', 'b c'],
      ['a', 'b c'],
    ],
    [['a', null, 7, ['b'], { c: 1 }, ''], ['a']],
    [undefined, []],
    [null, []],
    [7, []],
    [{ a: true }, []],
  ])('are read from %j', (value, scopes) => {
    expect(read({ scope: value }).scopes).toEqual(scopes);
    expect(read({ roles: value, scope: 'x' }, { scopeClaim: 'roles' }).scopes).toEqual(scopes);
  });
});

describe('the client of a token', () => {
  const themselves = [{ client_id: 'ada' }, { azp: 'ada' }, { cid: 'ada' }, { azp: 'other', client_id: 'ada' }];
  const others: object[] = [
    {},
    { client_id: 'other', azp: 'other', cid: 'other' },
    { client_id: 'Ada' },
    { client_id: ['ada'] },
  ];
  others.push({ aud: 'ada', appid: 'ada', uid: 'ada' }, { gty: 'password' }, { gty: ['client-credentials'] });

  it.each<[object, boolean]>([
    ...[...themselves, { gty: 'client-credentials' }, { idtyp: 'app' }].map((more): [object, boolean] => [more, true]),
    ...[...others, { idtyp: 'user' }, { idtyp: 'App' }].map((more): [object, boolean] => [more, false]),
  ])('acts for itself according to %j: %j', (more, expected) => {
    expect(read(more).actsForItself).toBe(expected);
  });
});

function read(more: object, config: { scopeClaim?: string; userClaim?: string } = {}): AccessClaims {
  return readAccessClaims(claims(more), { scopeClaim: 'scope', userClaim: 'sub', ...config });
}
