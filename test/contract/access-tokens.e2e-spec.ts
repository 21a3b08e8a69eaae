import { exportSPKI, FlattenedSign, GeneralSign } from 'jose';
import { encode, handmade, inSeconds, type Part } from '../support/forged-tokens';
import {
  claims,
  SECRET,
  SECRET_KEY,
  signed,
  startTokenTrial,
  type TokenTrial,
  withClaims,
} from '../support/token-trial';
import { signingKey, type SigningKeyPair, tokenBy } from '../auth/signing-keys';

/** What makes or breaks a token is tried in `test/auth`. Here one of each kind meets each place of a request: passport's and ours. */
describe('an access token', () => {
  let trial: TokenTrial;

  beforeAll(async () => {
    trial = await startTokenTrial();
  });
  afterAll(() => trial.close());

  it.each<[string, object]>([
    ['of an administrator', {}],
    ['of a service, by its scope alone', { sub: 'robot', scope: 'users:administer', azp: 'browser-client' }],
    ['of a service, with its scopes in a list', { sub: 'robot', scope: ['openid', 'users:administer'] }],
  ])('%s is accepted', async (_, changed) => {
    await trial.expectAccepted(await signed(claims(changed), { typ: 'at+jwt' }));
  });

  const withPart = (header: Part, payload: Part = claims()) => handmade(SECRET, payload, header);

  it.each<[string, () => string]>([
    ['that is no token', () => 'a.b.c'],
    ['of alg none', () => `${encode({ alg: 'none' })}.${encode(claims())}.`],
    ['by another secret', () => handmade(`${SECRET}!`, claims())],
    ['by SHA-512, said to be HS256', () => handmade(SECRET, claims(), { alg: 'HS256' }, 'sha512')],
    ['of another type', () => withPart({ alg: 'HS256', typ: 'user-status+jwt' })],
    ['with a critical extension', () => withPart({ alg: 'HS256', crit: ['exp'] })],
    ['with a header that is no JSON', () => withPart({ text: '{"alg":"HS256"' })],
    ['with a payload that is a list', () => withPart({ alg: 'HS256', typ: 'JWT' }, [claims()])],
    ['with a payload that is no JSON', () => withPart({ alg: 'HS256', typ: 'JWT' }, { text: 'sub=ada' })],
    ['that has expired', withClaims({ exp: inSeconds(-1) })],
    ['without exp', withClaims({ exp: undefined })],
    ['that begins later', withClaims({ nbf: inSeconds(90) })],
    ['whose sub is an object', withClaims({ sub: { id: 'ada' } })],
    ['of nobody', withClaims({ sub: 'nobody' })],
    ['of an id with NUL', withClaims({ sub: 'ada\0' })],
    ['of a lone surrogate', () => withPart({ alg: 'HS256' }, { text: `{"sub":"\\ud800","exp":${inSeconds(300)}}` })],
    ['of a service without sub', withClaims({ sub: undefined, scope: 'users:administer' })],
    ['of a service with another scope', withClaims({ sub: 'robot', scope: 'xusers:administer Users:Administer' })],
    ['of a client without the scope', withClaims({ sub: 'robot', client_id: 'robot', gty: 'client-credentials' })],
  ])('%s is refused in the header and in the body', async (_, token) => {
    await trial.expectRefused(token());
  });

  it('in another form is refused, also where it is text, or an object in the body', async () => {
    const payload = Buffer.from(JSON.stringify(claims()));
    const flattened = await new FlattenedSign(payload).setProtectedHeader({ alg: 'HS256' }).sign(SECRET_KEY);
    const general = await new GeneralSign(payload).addSignature(SECRET_KEY).setProtectedHeader({ alg: 'HS256' }).sign();
    await trial.expectRefused(JSON.stringify(flattened));
    const right = handmade(SECRET, claims());
    const long = handmade(SECRET, claims({ padding: 'x'.repeat(20_000) }));
    for (const value of [flattened, general, JSON.stringify(general), `${right}\n`, 'ä.ö.ü', long, '.'.repeat(60_000)])
      await trial.expectRefusedInBody(value);
  });
});

describe('with JWT_ISSUER and JWT_AUDIENCE', () => {
  it('a token needs one of each list', async () => {
    const right = { iss: 'https://id.example.com/', aud: ['billing', 'users'] };
    const environment = {
      JWT_SECRET: SECRET,
      JWT_ISSUER: `https://a.example.com/,${right.iss}`,
      JWT_AUDIENCE: 'a, users',
    };
    const trial = await startTokenTrial(environment, () => signed(claims(right)));
    try {
      await trial.expectAccepted(await signed(claims(right)));
      await trial.expectRefused(await signed(claims({ ...right, iss: 'https://id.example.org/' })));
      await trial.expectRefused(await signed(claims({ ...right, aud: ['billing'] })));
    } finally {
      await trial.close();
    }
  });
});

describe.each(['RS256', 'ES256', 'ES384'])('with a public key for %s', (alg) => {
  let key: SigningKeyPair;
  let trial: TokenTrial;

  beforeAll(async () => {
    key = await signingKey('key', alg);
    const environment = { JWT_SECRET: '', JWT_PUBLIC_KEY: await exportSPKI(key.publicKey) };
    trial = await startTokenTrial(environment, () => tokenBy(key, alg));
  });
  afterAll(() => trial.close());

  it('its tokens are accepted', async () => {
    await trial.expectAccepted(await tokenBy(key, alg));
  });

  it('those of another key are refused, and those that have it for a secret', async () => {
    await trial.expectRefused(await tokenBy(await signingKey('other', alg), alg));
    await trial.expectRefused(handmade(await exportSPKI(key.publicKey), claims(), { alg: 'HS256', typ: 'JWT' }));
  });
});
