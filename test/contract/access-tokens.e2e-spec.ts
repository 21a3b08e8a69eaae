import { createHmac, generateKeyPairSync } from 'node:crypto';
import { FlattenedSign, GeneralSign, SignJWT } from 'jose';
import { assign } from '../support/ask';
import { encode, handmade, type Part } from '../support/forged-tokens';
import {
  ADMITTED,
  claims,
  SECRET,
  SECRET_KEY as KEY,
  signed,
  startTokenTrial,
  type TokenTrial,
  withHeader,
} from '../support/token-trial';

let trial: TokenTrial;

beforeAll(async () => {
  trial = await startTokenTrial();
});
afterAll(() => trial.close());

describe('an access token is accepted', () => {
  it.each<[string, object]>([
    ['without typ', {}],
    ['with typ JWT', { typ: 'JWT' }],
    ['with typ jwt', { typ: 'jwt' }],
    ['with typ at+jwt', { typ: 'at+jwt' }],
    ['with typ AT+JWT', { typ: 'AT+JWT' }],
    ['with typ application/at+jwt', { typ: 'application/at+jwt' }],
    ['with typ Application/AT+JWT', { typ: 'Application/AT+JWT' }],
    ['with a kid', { kid: 'some key' }],
  ])('%s', async (_, header) => {
    await trial.expectAccepted(await signed(claims(), header));
  });
});

describe('an access token is refused in the header and in the body', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

  it.each<[string, () => string | Promise<string>]>([
    ['signed with another secret', () => handmade(`${SECRET}!`, claims())],
    ['signed with an empty secret', () => handmade('', claims())],
    ['whose payload was changed', () => swapPart(handmade(SECRET, claims()), 1, encode(claims({ sub: 'zoe' })))],
    ['whose header was changed', () => swapPart(handmade(SECRET, claims()), 0, encode({ alg: 'HS256' }))],
    ['whose signature was cut', () => handmade(SECRET, claims()).slice(0, -1)],
    ['without a signature', () => swapPart(handmade(SECRET, claims()), 2, '')],
    ['of alg none', () => `${encode({ alg: 'none' })}.${encode(claims())}.`],
    ['of alg none with a signature', () => handmade(SECRET, claims(), { alg: 'none' })],
    ['of alg NoNe', () => `${encode({ alg: 'NoNe', typ: 'JWT' })}.${encode(claims())}.`],
    ['without alg', () => handmade(SECRET, claims(), { typ: 'JWT' })],
    ['of alg null', () => handmade(SECRET, claims(), { alg: null })],
    ['of alg in a list', () => handmade(SECRET, claims(), { alg: ['HS256'] })],
    ['of alg hs256', () => handmade(SECRET, claims(), { alg: 'hs256' })],
    ['of alg HS384', () => new SignJWT(claims()).setProtectedHeader({ alg: 'HS384' }).sign(KEY)],
    ['of alg HS512', () => new SignJWT(claims()).setProtectedHeader({ alg: 'HS512' }).sign(KEY)],
    ['of HS256 over a SHA-512 signature', () => handmade(SECRET, claims(), { alg: 'HS256' }, 'sha512')],
    ['of alg RS256, signed with the secret', () => handmade(SECRET, claims(), { alg: 'RS256' })],
    [
      'of alg RS256, honestly signed',
      () => new SignJWT(claims()).setProtectedHeader({ alg: 'RS256' }).sign(privateKey),
    ],
    ['with its own key in the header', () => withOwnKey()],
    ['whose payload is in another encoding than UTF-8', () => inLatin1({ alg: 'HS256' }, claims({ name: 'Zoë' }))],
    ['whose header is in another encoding than UTF-8', () => inLatin1({ alg: 'HS256', kid: 'clé' }, claims())],
  ])('%s', async (_, token) => {
    await trial.expectRefused(await token());
  });

  it.each<[string, () => string]>([
    ['typ user-status+jwt', withHeader({ typ: 'user-status+jwt' })],
    ['typ dpop+jwt', withHeader({ typ: 'dpop+jwt' })],
    ['typ logout+jwt', withHeader({ typ: 'logout+jwt' })],
    ['typ JOSE', withHeader({ typ: 'JOSE' })],
    ['typ empty', withHeader({ typ: '' })],
    ['typ JWT with a space', withHeader({ typ: 'JWT ' })],
    ['typ null', withHeader({ typ: null })],
    ['typ a number', withHeader({ typ: 7 })],
    ['typ an object', withHeader({ typ: { toString: 'JWT' } })],
    ['typ in a list', withHeader({ typ: ['JWT'] })],
    ['crit of the library', withHeader({ crit: ['exp'] })],
    ['crit b64', withHeader({ crit: ['b64'], b64: true })],
    ['crit unknown', withHeader({ crit: ['urn:example:policy'], 'urn:example:policy': 'deny' })],
    ['crit empty', withHeader({ crit: [] })],
    ['crit null', withHeader({ crit: null })],
    ['crit false', withHeader({ crit: false })],
    ['crit empty text', withHeader({ crit: '' })],
    ['b64 without crit', withHeader({ b64: false })],
    ['typ application/jwt', withHeader({ typ: 'application/jwt' })],
    ['typ id_token+jwt', withHeader({ typ: 'id_token+jwt' })],
    ['typ of an access token of another service', withHeader({ typ: 'application/okta-internal-at+jwt' })],
    ['typ at+jwt with a parameter', withHeader({ typ: 'at+jwt;x' })],
  ])('with the header parameter %s', async (_, token) => {
    await trial.expectRefused(token());
  });

  it.each<[string, Part]>([
    ['text', 'HS256'],
    ['a number', 7],
    ['true', true],
    ['null', null],
    ['a list', [{ alg: 'HS256' }]],
    ['empty', {}],
    ['not JSON', { text: '{"alg":"HS256"' }],
    ['no text', { text: '' }],
    ['deep', { text: `{"alg":"HS256","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}` }],
    ['alg twice, the last one none', { text: '{"alg":"HS256","alg":"none"}' }],
    ['typ twice, the last one of another purpose', { text: '{"alg":"HS256","typ":"JWT","typ":"user-status+jwt"}' }],
    ['alg by a prototype', { text: '{"__proto__":{"alg":"HS256"}}' }],
  ])('with a header that is %s', async (name, header) => {
    const token = handmade(SECRET, claims(), header);
    // The deep one is well-formed and rightly signed: it must only do no harm.
    if (name === 'deep') expect((await assign(trial.service, token, {})).text).toBe(ADMITTED);
    else await trial.expectRefused(token);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['that is empty', () => ''],
    ['of one part', () => encode(claims())],
    ['of two parts', () => handmade(SECRET, claims()).split('.').slice(0, 2).join('.')],
    ['of four parts', () => `${handmade(SECRET, claims())}.${encode({})}`],
    ['of five parts, as if encrypted', () => `${encode({ alg: 'dir', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`],
    ['of dots only', () => '..'],
    ['with other letters than base64url', () => 'ä.ö.ü'],
    ['that is correct and has 20 KB', () => handmade(SECRET, claims({ padding: 'x'.repeat(20_000) }))],
    ['of 60 kB of dots', () => '.'.repeat(60_000)],
    ['with a space inside', () => handmade(SECRET, claims()).replace('.', '. ')],
    ['with a line break behind', () => `${handmade(SECRET, claims())}\n`],
    ['with padding', () => `${handmade(SECRET, claims())}=`],
    ['in the flattened serialisation', async () => JSON.stringify(await flattened())],
    ['in the general serialisation', async () => JSON.stringify(await general())],
  ])('%s', async (_, token) => {
    const text = await token();
    // What no header can carry, or any client would trim, can only stand in a body.
    if (text.length < 10_000 && /^[\x20-\x7e]+$/.test(text)) await trial.expectRefused(text);
    else await trial.expectRefusedInBody(text);
  });

  it('if the body has an object instead of it', async () => {
    await trial.expectRefusedInBody(await flattened());
    await trial.expectRefusedInBody(await general());
  });
});

function swapPart(token: string, index: number, part: string): string {
  return token
    .split('.')
    .map((old, at) => (at === index ? part : old))
    .join('.');
}

/** RFC 8725 section 2.8: a key that the token itself brings proves nothing. */
function withOwnKey(): string {
  const own = Buffer.from('the key that the forger made for this token');
  const signedPart = `${encode({ alg: 'HS256', jwk: { kty: 'oct', k: own.toString('base64url') } })}.${encode(claims())}`;
  return `${signedPart}.${createHmac('sha256', own).update(signedPart).digest('base64url')}`;
}

/** RFC 8725 section 3.7: two names could read the same. */
function inLatin1(...parts: object[]): string {
  const signedPart = parts.map((part) => Buffer.from(JSON.stringify(part), 'latin1').toString('base64url')).join('.');
  return `${signedPart}.${createHmac('sha256', SECRET).update(signedPart).digest('base64url')}`;
}

const flattened = (): Promise<object> =>
  new FlattenedSign(Buffer.from(JSON.stringify(claims()))).setProtectedHeader({ alg: 'HS256' }).sign(KEY);
const general = (): Promise<object> =>
  new GeneralSign(Buffer.from(JSON.stringify(claims()))).addSignature(KEY).setProtectedHeader({ alg: 'HS256' }).sign();
