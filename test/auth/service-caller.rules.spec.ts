import type { AccessClaims } from '../../src/auth/access-token.rules';
import { requireService } from '../../src/auth/service-caller.rules';
import type { AccessTokenConfig, VerificationKey } from '../../src/config/config';

const SECRET: VerificationKey = { kind: 'secret', secret: 'not looked at' };
const PUBLIC_KEY: VerificationKey = { kind: 'public-key', pem: 'not looked at' };
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
  it.each<[string, Partial<AccessClaims>, string[], string]>([
    ['a client for itself, with the scope', { ...CLIENT, ...WITH }, [], 'a service'],
    ['a client for itself, with the scope, where others are listed', { ...CLIENT, ...WITH }, OTHERS, 'a service'],
    ['a listed subject, with the scope', WITH, LISTED, 'a service'],
    ['a person with the scope', WITH, [], A_PERSON],
    ['a person with the scope, where others are listed', WITH, OTHERS, A_PERSON],
    ['a client for itself, without the scope', { ...CLIENT, ...WITHOUT }, [], SCOPE_MISSING],
    ['a listed subject, without the scope', WITHOUT, LISTED, SCOPE_MISSING],
    ['a person without the scope', WITHOUT, [], UNKNOWN],
    ['a person without any scope', {}, OTHERS, UNKNOWN],
  ])('%s', (_name, claims, subjects, expected) => {
    expect(outcome(key, claims, subjects)).toBe(expected);
  });
});

describe('where tokens are verified by a secret', () => {
  it.each<[string, Partial<AccessClaims>, string[], string]>([
    ['anyone with the scope', WITH, [], 'a service'],
    ['anyone with other scopes', WITHOUT, [], SCOPE_MISSING],
    ['a client for itself, without scopes', CLIENT, [], SCOPE_MISSING],
    ['anyone without scopes', {}, [], UNKNOWN],
    ['a listed subject, with the scope', WITH, LISTED, 'a service'],
    ['a listed subject, without the scope', WITHOUT, LISTED, SCOPE_MISSING],
    ['another subject, with the scope', WITH, OTHERS, NOT_LISTED],
    ['a client for itself that is not listed, with the scope', { ...CLIENT, ...WITH }, OTHERS, NOT_LISTED],
    ['another subject, without the scope', WITHOUT, OTHERS, UNKNOWN],
  ])('%s', (_name, claims, subjects, expected) => {
    expect(outcome(SECRET, claims, subjects)).toBe(expected);
  });
});

it('takes a scope only whole, and a subject only exactly', () => {
  for (const scope of ['users:administer:all', 'xusers:administer', 'Users:Administer', '']) {
    expect(outcome(SECRET, { scopes: [scope] })).toBe(SCOPE_MISSING);
  }
  for (const subject of ['Robot', 'robot ', 'nightly,robot']) {
    expect(outcome(JWKS, { ...WITH, subject }, LISTED)).toBe(A_PERSON);
  }
});
