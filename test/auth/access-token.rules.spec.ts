import {
  type AccessClaims,
  readAccessClaims,
  refuseOtherForms,
  TokenRefusedError,
} from '../../src/auth/access-token.rules';
import { inSeconds } from '../support/forged-tokens';

const CONFIG = { scopeClaim: 'scope', userClaim: 'sub' };

const read = (claims: object, config: Partial<typeof CONFIG> = {}): AccessClaims =>
  readAccessClaims({ sub: 'ada', exp: inSeconds(300), ...claims }, { ...CONFIG, ...config });

/** Why something is refused; undefined when it is not. */
function refusalOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof TokenRefusedError) return error.message;
    throw error;
  }
}

describe('the form of a token', () => {
  it.each(['a.b.c', 'eyJ_YWE-.YWE_YWE-.z_-9'])('can be %s', (token) => {
    expect(refusalOf(() => refuseOtherForms(token))).toBeUndefined();
  });

  it.each([
    '',
    'a',
    'a.b',
    'a.b.',
    '.b.c',
    'a..c',
    'a.b.c.d',
    'a.b.c.d.e',
    'a.b.c=',
    'a.b+.c',
    'a.b.c\n',
    ' a.b.c',
    '{"a":1}',
    'ä.b.c',
  ])('cannot be %j', (token) => {
    expect(refusalOf(() => refuseOtherForms(token))).toBe('the token is malformed');
  });

  it('cannot be longer than a header can be', () => {
    const token = (length: number) => `a.b.${'c'.repeat(length - 4)}`;
    expect(refusalOf(() => refuseOtherForms(token(16_384)))).toBeUndefined();
    expect(refusalOf(() => refuseOtherForms(token(16_385)))).toBe('the token is too long');
  });
});

describe('the user of a token', () => {
  it('is its sub by default', () => {
    expect(read({})).toMatchObject({ subject: 'ada', userId: 'ada' });
  });

  it('can be the value of another claim, while sub still identifies a service', () => {
    expect(read({ oid: 'f81d4fae' }, { userClaim: 'oid' })).toMatchObject({ subject: 'ada', userId: 'f81d4fae' });
  });

  it('is unknown without that claim: sub does not replace it', () => {
    expect(read({}, { userClaim: 'oid' })).toMatchObject({ subject: 'ada', userId: undefined });
  });

  it.each(['', null, 7, ['ada'], { id: 'ada' }, true])('cannot be %j', (oid) => {
    expect(refusalOf(() => read({ oid }, { userClaim: 'oid' }))).toBe('oid is not a non-empty string');
  });

  it.each(['', null, 7, ['ada'], { id: 'ada' }, undefined])('is refused with the sub %j, whatever the claim', (sub) => {
    expect(refusalOf(() => read({ sub, oid: 'x' }, { userClaim: 'oid' }))).toBe('sub is missing or not a string');
  });

  it('is not read from the prototype of the claims', () => {
    expect(refusalOf(() => read({}, { userClaim: 'toString' }))).toBe('toString is not a non-empty string');
    expect(refusalOf(() => read({}, { userClaim: '__proto__' }))).toBe('__proto__ is not a non-empty string');
  });

  it('is not an email address that the token calls unverified', () => {
    const email = { email: 'ada@example.com' };
    const byEmail = (claims: object) => () => read({ ...email, ...claims }, { userClaim: 'email' });
    expect(byEmail({})()).toMatchObject({ userId: 'ada@example.com' });
    expect(byEmail({ email_verified: true })()).toMatchObject({ userId: 'ada@example.com' });
    expect(refusalOf(byEmail({ email_verified: false }))).toBe('the email address is not verified');
    expect(refusalOf(byEmail({ email_verified: 'false' }))).toBe('the email address is not verified');
    expect(read({ ...email, email_verified: false })).toMatchObject({ userId: 'ada' });
  });
});

describe('the scopes of a token', () => {
  it.each<[string, string, object, string[]]>([
    ['a path', 'realm_access.roles', { realm_access: { roles: ['a', 'b'] } }, ['a', 'b']],
    ['a longer path', 'a.b.c', { a: { b: { c: 'x y' } } }, ['x', 'y']],
    [
      'a path of names with dots',
      'resource_access.my.app.roles',
      { resource_access: { 'my.app': { roles: ['a'] } } },
      ['a'],
    ],
    ['a claim of that name, though there is such a path', 'a.b', { 'a.b': 'claim', a: { b: 'path' } }, ['claim']],
    ['a claim of that name, though it has no scopes', 'a.b', { 'a.b': null, a: { b: 'path' } }, []],
    ['a claim of a URL', 'https://example.com/scopes', { 'https://example.com/scopes': 'x' }, ['x']],
    ['no path through text', 'a.length', { a: 'text' }, []],
    ['no path through a list', 'a.0', { a: ['x'] }, []],
    ['no path through null', 'a.b', { a: null }, []],
    ['no path to an object', 'a.b', { a: { b: { c: 'x' } } }, []],
    ['no path through a prototype', 'a.constructor.name', { a: {} }, []],
    ['no part of a path', 'a.b', { b: 'x' }, []],
  ])('can be those of %s', (_, scopeClaim, claims, scopes) => {
    expect(read(claims, { scopeClaim }).scopes).toEqual(scopes);
  });

  it.each<[string, unknown, string[]]>([
    ['text', 'a b:c', ['a', 'b:c']],
    ['text with more spaces', ' a  b ', ['a', 'b']],
    ['a list', ['a', 'b c'], ['a', 'b c']],
    ['a list of anything', ['a', null, 7, ['b'], { c: 1 }, ''], ['a']],
    ['absent', undefined, []],
    ['null', null, []],
    ['a number', 7, []],
    ['an object', { a: true }, []],
  ])('are read from %s', (_, value, scopes) => {
    expect(read({ scope: value }).scopes).toEqual(scopes);
    expect(read({ roles: value, scope: 'x' }, { scopeClaim: 'roles' }).scopes).toEqual(scopes);
  });
});

describe('the client of a token', () => {
  it.each([
    { client_id: 'ada' },
    { azp: 'ada' },
    { cid: 'ada' },
    { azp: 'other', client_id: 'ada' },
    { gty: 'client-credentials' },
    { idtyp: 'app' },
  ])('acts for itself according to %j', (claims) => {
    expect(read(claims).actsForItself).toBe(true);
  });

  it.each([
    {},
    { client_id: 'other', azp: 'other', cid: 'other' },
    { client_id: 'Ada' },
    { client_id: ['ada'] },
    { aud: 'ada', appid: 'ada', uid: 'ada' },
    { gty: 'password' },
    { gty: ['client-credentials'] },
    { idtyp: 'user' },
    { idtyp: 'App' },
  ])('does not act for itself according to %j', (claims) => {
    expect(read(claims).actsForItself).toBe(false);
  });
});

describe('an ID token', () => {
  it.each([{ token_use: 'id' }, { token_use: null }, { typ: 'ID' }])('is refused: %j', (claims) => {
    expect(refusalOf(() => read(claims))).toBe('the token is an ID token');
  });

  it.each([{ token_use: 'access' }, { typ: 'Bearer' }])('does not include a token with %j', (claims) => {
    expect(refusalOf(() => read(claims))).toBeUndefined();
  });
});
