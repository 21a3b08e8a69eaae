import { createHmac, generateKeyPairSync } from 'node:crypto';
import { FlattenedSign, GeneralSign, SignJWT } from 'jose';
import { TokenRefusedError, TokenVerifier } from '@user-administration/access-tokens';
import { loadConfig } from '../../src/load-config';
import { encode, handmade, inSeconds, type Part } from '../support/forged-tokens';
import { claims, SECRET, SECRET_KEY as KEY, signed } from '../support/token-trial';

/** The tokens of callers and of grants: one judge of both, so these rules need no requests. */
const tokens = new TokenVerifier(loadConfig({ JWT_SECRET: SECRET }).accessTokens);

/** Why a token is refused, or that it is not. */
async function outcome(token: string, by = tokens): Promise<string> {
  return by.verify(token).then(
    () => 'accepted',
    (error: unknown) => {
      if (error instanceof TokenRefusedError) return error.message;
      throw error;
    },
  );
}

async function outcomes(made: readonly (string | Promise<string>)[], by = tokens): Promise<string[]> {
  return Promise.all(made.map(async (token) => outcome(await token, by)));
}

const all = <T>(values: readonly T[], text: string): string[] => values.map(() => text);
const withHeaders = (headers: readonly Part[]): string[] => headers.map((header) => handmade(SECRET, claims(), header));
const MALFORMED = 'the token is malformed';

describe('a claim', () => {
  const at = inSeconds(300);
  const of = (changed: object[]): Promise<string[]> => outcomes(changed.map((more) => handmade(SECRET, claims(more))));

  it.each<[string, unknown[]]>([
    ['exp', [at + 0.5]],
    ['nbf', [undefined, inSeconds(-1), inSeconds(50), inSeconds(-300) - 0.5]],
    ['iat', [undefined, inSeconds(50)]],
    ['iss', ['anyone']],
    ['aud', [['anything']]],
    ['roles', [{ any: 'thing' }]],
    ['token_use', ['access']],
    ['typ', ['Bearer']],
  ])('%s can be each of %j', async (name, values) => {
    expect(await of(values.map((value) => ({ [name]: value })))).toEqual(all(values, 'accepted'));
  });

  it.each<[string, unknown[], string]>([
    ['exp', [undefined], 'exp is missing or not a finite number'],
    ['exp', [null, `${at}`, [at], true], 'invalid exp value'],
    ['exp', [inSeconds(0), inSeconds(-1), 0, -1], 'jwt expired'],
    ['nbf', [inSeconds(90)], 'nbf lies ahead'],
    ['nbf', [null, `${inSeconds(-60)}`, true], 'nbf is not a finite number'],
    ['iat', [inSeconds(90)], 'iat lies ahead'],
    ['iat', [null, '0', [1]], 'iat is not a finite number'],
    ['sub', [undefined, null, '', 7, { id: 'ada' }, ['ada']], 'sub is missing or not a string'],
    ['token_use', ['id', null], 'the token is an ID token'],
    ['typ', ['ID'], 'the token is an ID token'],
  ])('%s cannot be one of %j: %s', async (name, values, reason) => {
    expect(await of(values.map((value) => ({ [name]: value })))).toEqual(all(values, reason));
  });

  it.each([
    ['{"sub":"ada","exp":1e999}', 'exp is missing or not a finite number'],
    ['{"sub":"ada","exp":-1e999}', 'jwt expired'],
    [`{"sub":"ada","exp":${at},"exp":1}`, 'jwt expired'],
    [`{"sub":"ada","exp":${at},"nbf":1e999}`, 'nbf is not a finite number'],
    [`{"sub":"ada","exp":${at},"nbf":-1e999}`, 'nbf is not a finite number'],
    [`{"sub":"ada","exp":${at},"iat":1e999}`, 'iat is not a finite number'],
    [`{"sub":"ada","exp":${at},"iat":-1e999}`, 'iat is not a finite number'],
    [`{"__proto__":{"sub":"ada"},"exp":${at}}`, 'sub is missing or not a string'],
    [JSON.stringify([claims()]), 'exp is missing or not a finite number'],
    ...['{"sub":"ada","exp":NaN}', 'sub=ada', '\ud800', '"ada"', '7', 'null', 'true'].map((text) => [
      text,
      'the payload is not an object',
    ]),
    ['', MALFORMED],
  ])('is refused in the payload %s: %s', async (text = '', reason) => {
    // The library reads only payloads of the type JWT as JSON.
    const [typed, other] = ['JWT', 'at+jwt'].map((typ) => handmade(SECRET, { text }, { alg: 'HS256', typ }));
    expect(await outcome(typed ?? '')).not.toBe('accepted');
    expect(await outcome(other ?? '')).toBe(reason);
  });
});

describe('with JWT_ISSUER and JWT_AUDIENCE, the claims', () => {
  const [issuer, audience] = ['https://id.example.com/', 'user-administration'];
  const other = { iss: 'https://login.example.com/', aud: 'api://users' };
  const JWT_ISSUER = `${issuer},${other.iss}`;
  const strict = new TokenVerifier(
    loadConfig({ JWT_SECRET: SECRET, JWT_ISSUER, JWT_AUDIENCE: `${audience}, ${other.aud}` }).accessTokens,
  );
  const of = (changed: object) => outcome(handmade(SECRET, claims({ iss: issuer, aud: audience, ...changed })), strict);

  it.each([{}, { aud: ['billing', audience] }, other, { aud: other.aud }])('can be %j', async (changed) => {
    expect(await of(changed)).toBe('accepted');
  });

  it.each<[string, unknown[], string]>([
    [
      'iss',
      [undefined, null, 'https://id.example.org/', `${issuer}tenant`, issuer.toUpperCase(), [issuer], JWT_ISSUER],
      'jwt issuer invalid',
    ],
    [
      'aud',
      [undefined, null, 'billing', issuer, ['billing', `${audience}-test`], [], { [audience]: audience }, [[audience]]],
      'jwt audience invalid',
    ],
  ])('%s cannot be one of %j', async (name, values, reason) => {
    for (const value of values)
      expect([value, await of({ [name]: value })]).toEqual([value, expect.stringContaining(reason)]);
  });
});

describe('a header', () => {
  const typed = (types: unknown[]) => withHeaders(types.map((typ) => ({ alg: 'HS256', typ })));

  it('can have a kid, and each type of an access token in any case', async () => {
    const types = [undefined, 'JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/AT+JWT'];
    expect(await outcomes(typed(types))).toEqual(all(types, 'accepted'));
    expect(await outcome(await signed(claims(), { kid: 'some key' }))).toBe('accepted');
    // Well-formed and rightly signed: it must only do no harm.
    const deep = `{"alg":"HS256","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    expect(await outcome(handmade(SECRET, claims(), { text: deep }))).toBe('accepted');
  });

  it('cannot have another type', async () => {
    const types = [
      'user-status+jwt',
      'dpop+jwt',
      'logout+jwt',
      'JOSE',
      '',
      'JWT ',
      null,
      7,
      { toString: 'JWT' },
      ['JWT'],
    ];
    types.push('application/jwt', 'id_token+jwt', 'application/okta-internal-at+jwt', 'at+jwt;x');
    expect(await outcomes(typed(types))).toEqual(all(types, 'the token is of another type'));
  });

  it('cannot have critical extensions', async () => {
    const extensions = [
      ...[['exp'], [], null, false, ''].map((crit) => ({ crit })),
      { crit: ['b64'], b64: true },
      { crit: ['urn:example:policy'], 'urn:example:policy': 'deny' },
      { b64: false },
    ];
    const made = withHeaders(extensions.map((more) => ({ alg: 'HS256', ...more })));
    expect(await outcomes(made)).toEqual(all(extensions, 'the token has critical extensions'));
  });

  it.each<[Part, string]>([
    ['HS256', MALFORMED],
    [7, MALFORMED],
    [true, MALFORMED],
    [null, MALFORMED],
    [[{ alg: 'HS256' }], MALFORMED],
    [{}, 'invalid algorithm'],
    [{ text: '{"alg":"HS256"' }, MALFORMED],
    [{ text: '' }, MALFORMED],
    [{ text: '{"alg":"HS256","alg":"none"}' }, 'invalid algorithm'],
    [{ text: '{"alg":"HS256","typ":"JWT","typ":"user-status+jwt"}' }, 'the token is of another type'],
    [{ text: '{"__proto__":{"alg":"HS256"}}' }, 'invalid algorithm'],
    [{ typ: 'JWT' }, 'invalid algorithm'],
    ...[null, ['HS256'], 'hs256', 'none', 'RS256', 'HS384', 'HS512'].map((alg): [Part, string] => [
      { alg },
      'invalid algorithm',
    ]),
  ])('cannot be %j: %s', async (header, reason) => {
    expect(await outcomes(withHeaders([header]))).toEqual([reason]);
  });
});

describe('a signature', () => {
  const right = handmade(SECRET, claims());
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const sign = (alg: string, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT(claims()).setProtectedHeader({ alg }).sign(key);

  it.each<[string, string, string | Promise<string>]>([
    ['by another secret', 'invalid signature', handmade(`${SECRET}!`, claims())],
    ['by an empty secret', 'invalid signature', handmade('', claims())],
    ['over another payload', 'invalid signature', swapPart(right, 1, encode(claims({ sub: 'zoe' })))],
    ['over another header', 'invalid signature', swapPart(right, 0, encode({ alg: 'HS256' }))],
    ['that was cut', 'invalid signature', right.slice(0, -1)],
    ['that is empty', MALFORMED, swapPart(right, 2, '')],
    ['that is empty, of alg none', MALFORMED, `${encode({ alg: 'none' })}.${encode(claims())}.`],
    ['that is empty, of alg NoNe', MALFORMED, `${encode({ alg: 'NoNe', typ: 'JWT' })}.${encode(claims())}.`],
    ['by HS384', 'invalid algorithm', sign('HS384', KEY)],
    ['by HS512', 'invalid algorithm', sign('HS512', KEY)],
    ['by SHA-512, said to be HS256', 'invalid signature', handmade(SECRET, claims(), { alg: 'HS256' }, 'sha512')],
    ['by RS256', 'invalid algorithm', sign('RS256', privateKey)],
    ['by a key in its header', 'invalid signature', withOwnKey()],
    ['over a payload in another encoding than UTF-8', MALFORMED, inLatin1({ alg: 'HS256' }, claims({ name: 'Zoë' }))],
    ['over a header in another encoding than UTF-8', MALFORMED, inLatin1({ alg: 'HS256', kid: 'clé' }, claims())],
  ])('%s is refused: %s', async (_, reason, token) => {
    expect(await outcome(await token)).toBe(reason);
  });
});

describe('the form of a token', () => {
  it('is compact, in three parts of base64url', async () => {
    const right = handmade(SECRET, claims());
    const [header = '', payload = ''] = right.split('.');
    const others = [
      ...[
        '',
        'a',
        'a.b',
        'a.b.',
        '.b.c',
        'a..c',
        'a.b.c.d',
        'a.b+.c',
        '..',
        'ä.ö.ü',
        `${right}=`,
        `${right}\n`,
        ` ${right}`,
      ],
      ...[payload, `${header}.${payload}`, `${right}.${encode({})}`, right.replace('.', '. ')],
      `${encode({ alg: 'dir', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`,
      JSON.stringify(await new FlattenedSign(encoded()).setProtectedHeader({ alg: 'HS256' }).sign(KEY)),
      JSON.stringify(await new GeneralSign(encoded()).addSignature(KEY).setProtectedHeader({ alg: 'HS256' }).sign()),
    ];
    expect(await outcomes(others)).toEqual(all(others, MALFORMED));
  });

  it('is not longer than a header can be', async () => {
    const padded = (length: number) => handmade(SECRET, claims({ padding: 'x'.repeat(length) }));
    const shorter = padded(12_000);
    const left = Math.floor(((16_384 - shorter.length) * 3) / 4);
    expect(await outcomes([padded(12_000 + left), padded(12_003 + left), '.'.repeat(60_000)])).toEqual([
      'accepted',
      'the token is too long',
      'the token is too long',
    ]);
  });
});

function encoded(): Buffer {
  return Buffer.from(JSON.stringify(claims()));
}

function swapPart(token: string, index: number, part: string): string {
  return token
    .split('.')
    .map((old, at) => (at === index ? part : old))
    .join('.');
}

/** RFC 8725 section 2.8: a key that the token itself brings proves nothing. */
function withOwnKey(): string {
  const own = Buffer.from('the key that the forger made for this token');
  return handmade(own, claims(), { alg: 'HS256', jwk: { kty: 'oct', k: own.toString('base64url') } });
}

/** RFC 8725 section 3.7: two names could read the same. */
function inLatin1(...parts: object[]): string {
  const content = parts.map((part) => Buffer.from(JSON.stringify(part), 'latin1').toString('base64url')).join('.');
  return `${content}.${createHmac('sha256', SECRET).update(content).digest('base64url')}`;
}
