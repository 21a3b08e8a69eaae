import { handmade, inSeconds, type Part } from '../support/forged-tokens';
import {
  claims,
  SECRET,
  signed,
  startTokenTrial,
  type TokenTrial,
  withClaims,
  withPayload,
} from '../support/token-trial';

let trial: TokenTrial;

/** A service needs no record, so nothing but the rules for `sub` itself stands in its way. */
const asService = (changed: object): (() => string) => withClaims({ scope: 'users:administer', ...changed });

beforeAll(async () => {
  trial = await startTokenTrial();
});
afterAll(() => trial.close());

describe('an access token is accepted', () => {
  it.each<[string, object]>([
    ['of a service', { sub: 'robot', scope: 'openid users:administer email' }],
    ['without iat and nbf', { iat: undefined }],
    ['with nbf in the past', { nbf: inSeconds(-1) }],
    ['of a service, by its scope alone', { sub: 'robot', scope: 'users:administer', azp: 'browser-client' }],
    ['of a service, with its scopes in a list', { sub: 'robot', scope: ['openid', 'users:administer'] }],
    ['with an iat less than a minute ahead', { iat: inSeconds(50) }],
    ['with an nbf less than a minute ahead', { nbf: inSeconds(50) }],
    ['with times that are not whole', { exp: inSeconds(300) + 0.5, nbf: inSeconds(-300) - 0.5 }],
    ['with claims that this service does not know', { roles: { any: 'thing' }, iss: 'anyone', aud: ['anything'] }],
  ])('%s', async (_, changed) => {
    await trial.expectAccepted(await signed(claims(changed)));
  });
});

describe('an access token is refused in the header and in the body', () => {
  it.each<[string, () => string]>([
    ['exp missing', withClaims({ exp: undefined })],
    ['exp null', withClaims({ exp: null })],
    ['exp text', withClaims({ exp: String(inSeconds(300)) })],
    ['exp in a list', withClaims({ exp: [inSeconds(300)] })],
    ['exp true', withClaims({ exp: true })],
    ['exp now', withClaims({ exp: inSeconds(0) })],
    ['exp in the past', withClaims({ exp: inSeconds(-1) })],
    ['exp zero', withClaims({ exp: 0 })],
    ['exp negative', withClaims({ exp: -1 })],
    ['exp infinite', withPayload({ text: '{"sub":"ada","exp":1e999}' })],
    ['exp infinite below', withPayload({ text: '{"sub":"ada","exp":-1e999}' })],
    ['exp NaN', withPayload({ text: '{"sub":"ada","exp":NaN}' })],
    ['exp twice, the last one past', withPayload({ text: `{"sub":"ada","exp":${inSeconds(300)},"exp":1}` })],
    ['nbf more than a minute ahead', () => handmade(SECRET, claims({ nbf: inSeconds(90) }))],
    ['nbf text', withClaims({ nbf: String(inSeconds(-60)) })],
    ['nbf null', withClaims({ nbf: null })],
    ['nbf infinite below', withPayload({ text: `{"sub":"ada","exp":${inSeconds(300)},"nbf":-1e999}` })],
    ['nbf infinite', withPayload({ text: `{"sub":"ada","exp":${inSeconds(300)},"nbf":1e999}` })],
    ['iat more than a minute ahead', () => handmade(SECRET, claims({ iat: inSeconds(90) }))],
    ['iat text', withClaims({ iat: String(inSeconds(0)) })],
    ['iat null', withClaims({ iat: null })],
    ['iat infinite', withPayload({ text: `{"sub":"ada","exp":${inSeconds(300)},"iat":1e999}` })],
    ['iat in a list', withClaims({ iat: [1] })],
    ['nbf true', withClaims({ nbf: true })],
    ['iat infinite below', withPayload({ text: `{"sub":"ada","exp":${inSeconds(300)},"iat":-1e999}` })],
    ['sub missing', withClaims({ sub: undefined })],
    ['sub null', withClaims({ sub: null })],
    ['sub empty', withClaims({ sub: '' })],
    ['sub a number', withClaims({ sub: 7 })],
    ['sub an object', withClaims({ sub: { id: 'ada' } })],
    ['sub in a list', withClaims({ sub: ['ada'] })],
    ['sub unknown', withClaims({ sub: 'nobody' })],
    ['sub with NUL', withClaims({ sub: 'ada\0' })],
    ['sub a lone surrogate', withPayload({ text: `{"sub":"\\ud800","exp":${inSeconds(300)}}` })],
    ['sub by a prototype', withPayload({ text: `{"__proto__":{"sub":"ada"},"exp":${inSeconds(300)}}` })],
    ['sub missing, of a service', asService({ sub: undefined })],
    ['sub null, of a service', asService({ sub: null })],
    ['sub empty, of a service', asService({ sub: '' })],
    ['sub a number, of a service', asService({ sub: 7 })],
    ['sub an object, of a service', asService({ sub: { id: 'robot' } })],
    ['sub in a list, of a service', asService({ sub: ['robot'] })],
    ['scope in a list of lists, of no user', withClaims({ sub: 'robot', scope: [['users:administer']] })],
    ['scope in an object, of no user', withClaims({ sub: 'robot', scope: { 'users:administer': true } })],
    [
      'scope missing, of a client that acts for itself',
      withClaims({ sub: 'robot', client_id: 'robot', gty: 'client-credentials' }),
    ],
    ['scope in other words, of no user', withClaims({ sub: 'robot', scope: 'users:administer:all xusers:administer' })],
    ['scope in another case, of no user', withClaims({ sub: 'robot', scope: 'Users:Administer' })],
  ])('with the claim %s', async (_, token) => {
    await trial.expectRefused(token());
  });

  it.each<[string, Part]>([
    ['a list', [claims()]],
    ['text', 'ada'],
    ['a number', 7],
    ['null', null],
    ['true', true],
    ['no JSON', { text: 'sub=ada' }],
    ['empty', { text: '' }],
    ['no UTF-8', { text: '\ud800' }],
  ])('with a payload that is %s', async (_, payload) => {
    for (const typ of ['JWT', 'at+jwt']) await trial.expectRefused(handmade(SECRET, payload, { alg: 'HS256', typ }));
  });
});

describe('with JWT_ISSUER and JWT_AUDIENCE, the service', () => {
  const ISSUER = 'https://id.example.com/';
  const AUDIENCE = 'user-administration';
  const OTHER = { iss: 'https://login.example.com/', aud: 'api://users' };
  const right = { iss: ISSUER, aud: AUDIENCE };
  let strict: TokenTrial;

  beforeAll(async () => {
    const environment = {
      JWT_SECRET: SECRET,
      JWT_ISSUER: `${ISSUER},${OTHER.iss}`,
      JWT_AUDIENCE: `${AUDIENCE}, ${OTHER.aud}`,
    };
    strict = await startTokenTrial(environment, () => signed(claims(right)));
  });
  afterAll(() => strict.close());

  it.each<[string, object]>([
    ['a listed issuer and audience', {}],
    ['a listed audience among others', { aud: ['billing', AUDIENCE] }],
    ['the second issuer and audience of the lists', OTHER],
    ['the first issuer and the second audience of the lists', { aud: OTHER.aud }],
  ])('accepts a token with %s', async (_, changed) => {
    await strict.expectAccepted(await signed(claims({ ...right, ...changed })));
  });

  it.each<[string, object]>([
    ['no issuer', { iss: undefined }],
    ['another issuer', { iss: 'https://id.example.org/' }],
    ['a longer issuer that begins with a listed one', { iss: `${ISSUER}tenant` }],
    ['an issuer in another case', { iss: ISSUER.toUpperCase() }],
    ['an issuer in a list', { iss: [ISSUER] }],
    ['both issuers in one text', { iss: `${ISSUER},${OTHER.iss}` }],
    ['issuer and audience exchanged', { iss: AUDIENCE, aud: ISSUER }],
    ['issuer null', { iss: null }],
    ['no audience', { aud: undefined }],
    ['another audience', { aud: 'billing' }],
    ['other audiences', { aud: ['billing', 'user-administration-test'] }],
    ['an empty list of audiences', { aud: [] }],
    ['an audience in an object', { aud: { [AUDIENCE]: AUDIENCE } }],
    ['an audience in a list in a list', { aud: [[AUDIENCE]] }],
    ['audience null', { aud: null }],
  ])('refuses a token with %s', async (_, changed) => {
    await strict.expectRefused(handmade(SECRET, claims({ ...right, ...changed })));
  });
});
