import type { AccessClaims } from '@user-administration/access-tokens';
import type { VerificationKey } from '@user-administration/access-tokens/keys';
import { requireService } from '../../src/auth/service-caller.rules';
import type { AccessTokenConfig } from '../../src/config/token.config';

const SECRET: VerificationKey = { kind: 'secret', secret: 'not looked at' };
const PUBLIC_KEY: VerificationKey = { kind: 'public-key', pems: ['not looked at'] };
const JWKS: VerificationKey = { kind: 'jwks', uri: 'not looked at' };

const SCOPE = 'users:administer';
const UNKNOWN = 'the user is unknown';
const SCOPE_MISSING = 'the scope users:administer is missing';
const A_PERSON =
  "the token has the scope, but is a person's: nothing in it says that its client acts for itself, and its subject is not in JWT_SERVICE_SUBJECTS";
const NOT_LISTED = 'the token has the scope, but its subject is not in JWT_SERVICE_SUBJECTS';

/** What becomes of a token of the subject `robot` without a record. */
function outcome(key: VerificationKey, claims: Partial<AccessClaims>, serviceSubjects: string[] = []): string {
  const config: AccessTokenConfig = {
    key,
    issuers: [],
    audiences: [],
    adminScope: SCOPE,
    readScope: 'users:read',
    readPermission: 'users.read',
    scopeClaim: 'scope',
    userClaim: 'sub',
    serviceSubjects,
  };
  try {
    requireService({ subject: 'robot', userId: 'robot', scopes: [], actsForItself: false, ...claims }, config);
    return 'a service';
  } catch (error) {
    return (error as Error).message;
  }
}

const WITH = { scopes: ['openid', SCOPE] };
const WITHOUT = { scopes: ['openid'] };
const CLIENT = { actsForItself: true };
const LISTED = ['nightly', 'robot'];
const OTHERS = ['nightly'];

describe.each([
  ['a public key', PUBLIC_KEY],
  ['a key set', JWKS],
])('where tokens are verified by %s', (_, key) => {
  it.each<[string, string, Partial<AccessClaims>, string[]]>([
    ['a client for itself, with the scope', 'a service', { ...CLIENT, ...WITH }, []],
    ['a client for itself, with the scope, where others are listed', 'a service', { ...CLIENT, ...WITH }, OTHERS],
    ['a listed subject, with the scope', 'a service', WITH, LISTED],
    ['a person with the scope', A_PERSON, WITH, []],
    ['a person with the scope, where others are listed', A_PERSON, WITH, OTHERS],
    ['a client for itself, without the scope', SCOPE_MISSING, { ...CLIENT, ...WITHOUT }, []],
    ['a listed subject, without the scope', SCOPE_MISSING, WITHOUT, LISTED],
    ['a person without the scope', UNKNOWN, WITHOUT, []],
    ['a person without any scope', UNKNOWN, {}, OTHERS],
  ])('%s: %s', (_name, expected, claims, subjects) => {
    expect(outcome(key, claims, subjects)).toBe(expected);
  });
});

describe('where tokens are verified by a secret', () => {
  it.each<[string, string, Partial<AccessClaims>, string[]]>([
    ['anyone with the scope', 'a service', WITH, []],
    ['anyone with other scopes', SCOPE_MISSING, WITHOUT, []],
    ['a client for itself, without scopes', SCOPE_MISSING, CLIENT, []],
    ['anyone without scopes', UNKNOWN, {}, []],
    ['a listed subject, with the scope', 'a service', WITH, LISTED],
    ['a listed subject, without the scope', SCOPE_MISSING, WITHOUT, LISTED],
    ['another subject, with the scope', NOT_LISTED, WITH, OTHERS],
    ['a client for itself that is not listed, with the scope', NOT_LISTED, { ...CLIENT, ...WITH }, OTHERS],
    ['another subject, without the scope', UNKNOWN, WITHOUT, OTHERS],
  ])('%s: %s', (_name, expected, claims, subjects) => {
    expect(outcome(SECRET, claims, subjects)).toBe(expected);
  });
});

it('a scope must match as a whole, and a subject exactly', () => {
  for (const scope of ['users:administer:all', 'xusers:administer', 'Users:Administer', '']) {
    expect(outcome(SECRET, { scopes: [scope] })).toBe(SCOPE_MISSING);
  }
  for (const subject of ['Robot', 'robot ', 'nightly,robot']) {
    expect(outcome(JWKS, { ...WITH, subject }, LISTED)).toBe(A_PERSON);
  }
});
