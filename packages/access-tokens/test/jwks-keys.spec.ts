import { generateKeyPairSync } from 'node:crypto';
import type { JwtHeader } from 'jsonwebtoken';
import { ANY_RSA, JwksTrial } from './jwks-trial';
import { signingKey, type SigningKeyPair } from '../../../test/auth/signing-keys';

let trial: JwksTrial;

beforeAll(async () => {
  trial = await JwksTrial.open();
});
beforeEach(() => trial.beforeEach());
afterEach(() => trial.afterEach());

const keyFor = (kid: string, alg: string) => trial.keys.get({ kid, alg } as JwtHeader, () => undefined);

describe('a key of a key set', () => {
  it('is found by its kid, and permits the algorithms of its kind', async () => {
    trial.endpoint.publish(trial.one.jwk, trial.ec.jwk);
    expect(await trial.ask('one')).toBe(ANY_RSA);
    expect(await trial.ask('one', 'PS256')).toBe(ANY_RSA);
    expect(await trial.ask('ec', 'ES256')).toBe('ES256');
    expect((await keyFor('ec', 'ES256')).key.export({ format: 'jwk' })).toMatchObject({ x: trial.ec.jwk.x });
    expect(trial.endpoint.requests).toBe(1);
  });

  it.each(['RS256', 'RS512', 'PS256', 'PS384'])('with the alg %s permits only that algorithm', async (alg) => {
    trial.endpoint.publish({ ...trial.one.jwk, alg });
    expect(await trial.ask('one')).toBe(alg);
  });

  it('is used for a token without a kid if it is the only key', async () => {
    expect(await trial.ask(undefined)).toBe(ANY_RSA);
  });

  it.each<[string, () => object[]]>([
    ['two keys', () => [trial.one.jwk, trial.two.jwk]],
    ['two keys without a kid', () => [withoutKid(trial.one), withoutKid(trial.two)]],
    ['one key with and one without a kid', () => [trial.one.jwk, withoutKid(trial.two)]],
    ['two keys of different kinds', () => [trial.one.jwk, trial.ec.jwk]],
  ])('is not guessed for a token without a kid if the set has %s', async (_, published) => {
    trial.endpoint.publish(...published());
    expect(await trial.ask(undefined)).toBe('refused');
  });

  it('with the same kid as another is chosen by the algorithm, then by its position', async () => {
    trial.endpoint.publish({ ...trial.ec.jwk, kid: 'one' }, trial.one.jwk, { ...trial.two.jwk, kid: 'one' });
    expect(await trial.ask('one', 'ES256')).toBe('ES256');
    expect((await keyFor('one', 'RS256')).key.export({ format: 'jwk' })).toMatchObject({
      n: trial.one.jwk.n,
    });
  });

  it.each<[string, () => unknown]>([
    ['null', () => null],
    ['text', () => 'one'],
    ['a number', () => 7],
    ['a list', () => [trial.one.jwk]],
    ['empty', () => ({})],
    ['RSA with the exponent 1', () => ({ ...trial.one.jwk, kid: 'bad', e: 'AQ' })],
    ['RSA with an even exponent', () => ({ ...trial.one.jwk, kid: 'bad', e: 'AQAC' })],
    ['RSA with a small exponent', () => ({ ...trial.one.jwk, kid: 'bad', e: 'Aw' })],
    ['garbage', () => ({ kty: 'RSA', kid: 'bad', n: '!', e: [] })],
    ['lacking a part', () => ({ ...trial.one.jwk, kid: 'bad', e: undefined })],
    ['of an unknown kind', () => ({ ...trial.one.jwk, kid: 'bad', kty: 'rsa' })],
    ['a secret', () => ({ kty: 'oct', kid: 'bad', k: 'c2VjcmV0'.repeat(8) })],
    ['a secret for RS256', () => ({ kty: 'oct', kid: 'bad', alg: 'RS256', k: 'c2VjcmV0'.repeat(8) })],
    ['private', () => ({ ...trial.one.privateJwk, kid: 'bad' })],
    ['private, on a curve', () => ({ ...trial.ec.privateJwk, kid: 'bad' })],
    ['for encryption', () => ({ ...trial.one.jwk, kid: 'bad', use: 'enc' })],
    ['for key operations other than verifying', () => ({ ...trial.one.jwk, kid: 'bad', key_ops: ['encrypt'] })],
    ['for another algorithm', () => ({ ...trial.one.jwk, kid: 'bad', alg: 'RSA-OAEP' })],
    ['for the algorithm of another curve', () => ({ ...trial.ec.jwk, kid: 'bad', alg: 'ES384' })],
    ['for an algorithm of another kind', () => ({ ...trial.one.jwk, kid: 'bad', alg: 'ES256' })],
    ['for HS256', () => ({ ...trial.one.jwk, kid: 'bad', alg: 'HS256' })],
    ['RSA of 1024 bits', () => ({ ...weakRsa(), kid: 'bad' })],
    ['on P-521', async () => ({ ...(await signingKey('bad', 'ES512')).jwk })],
    ['Ed25519', async () => ({ ...(await signingKey('bad', 'EdDSA')).jwk })],
  ])('that is %s is ignored, and the other keys stay usable', async (_, bad) => {
    trial.endpoint.publish(await bad(), trial.two.jwk);
    for (const alg of ['RS256', 'PS256', 'ES256']) expect(await trial.ask('bad', alg)).toBe('refused');
    expect(await trial.ask('two')).toBe(ANY_RSA);
    expect(await trial.ask(undefined)).toBe(ANY_RSA);
  });

  it('that is RSA and weak is named in the log, once for each set of them', async () => {
    const set = [
      trial.one.jwk,
      { ...trial.two.jwk, e: 'AQ' },
      { ...weakRsa(), kid: 'short' },
      { ...weakRsa(), kid: '' },
    ];
    const said = () => trial.logged.splice(0).filter((line) => line.includes('not used'));
    said();
    trial.endpoint.publish(...set);
    for (let fetch = 0; fetch < 2; fetch++) expect(await trial.ask(`unknown-${fetch}`)).toBe('refused');
    expect(said()).toEqual([
      'these RSA keys of the key set have fewer than 2048 bits, or an exponent that is even or below 65537: they are not used: two, short, one without a kid',
    ]);
    trial.endpoint.publish(trial.one.jwk, trial.ec.jwk);
    expect(await trial.ask('unknown')).toBe('refused');
    expect(said()).toEqual([]);
  });

  it.each(['HS256', 'none', 'ES512', 'RSA-OAEP', 'EdDSA', 'rs256', ''])(
    'is not fetched for a token with the alg "%s"',
    async (alg) => {
      expect(await trial.ask('one', alg)).toBe('refused');
      expect(trial.endpoint.requests).toBe(0);
    },
  );

  it.each([null, 7, ['one'], { toString: 'one' }])('is not fetched for a token with the kid %j', async (kid) => {
    expect(await trial.ask(kid)).toBe('refused');
    expect(trial.endpoint.requests).toBe(0);
  });
});

function withoutKid({ jwk }: SigningKeyPair): object {
  return { ...jwk, kid: undefined };
}

function weakRsa(): object {
  return generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
}
