import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Environment } from '../../src/config/environment';
import { type Answer, assign, ASSIGNED, manageStatus, post, STATUS_UPDATED, UNAUTHENTICATED } from '../support/ask';
import { handmade, inSeconds } from '../support/forged-tokens';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestDatabase } from '../support/test-database';
import { startTestService, type TestService } from '../support/test-service';

// Two processes in the middle of a rotation: one is restarted already, and callers reach both.
const database = useTestDatabase();
let services: TestService[] = [];

async function start(...environments: Environment[]): Promise<TestService[]> {
  for (const environment of environments) services.push(await startTestService({ database, environment }));
  await writeSmallDirectory(services[0] as TestService);
  return services;
}
afterEach(async () => {
  for (const service of services) await service.close();
  services = [];
});

const [old, next, stranger] = [secret(), secret(), secret()];
const claims = () => ({ sub: 'ada', exp: inSeconds(300) });
const BODY = { userIds: ['ben'], workspaces: ['atlas'] };

function secret(): string {
  return randomBytes(32).toString('hex');
}

/** The answers of every service to many requests with each of the tokens, all under way at once. */
async function answersTo(tokens: string[]): Promise<Set<string>> {
  const requests = services.flatMap((service) => tokens.map((token) => ({ service, token })));
  const many = Array.from({ length: 10 }, () => requests).flat();
  return new Set(await Promise.all(many.map(async ({ service, token }) => (await assign(service, token, BODY)).text)));
}

function mint(service: TestService, key: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${service.tokenOf('ada')}`, 'idempotency-key': `"${key}"` };
  return post(`${service.url}/api/users/status-tokens`, { id: 'ben', status: 'active' }, headers);
}

describe('while keys change, the old and the new process', () => {
  it.each<[string, Environment, Environment]>([
    ['JWT_SECRET', { JWT_SECRET: old, JWT_SECRET_PREVIOUS: next }, { JWT_SECRET: next, JWT_SECRET_PREVIOUS: old }],
    [
      'STATUS_TOKEN_SECRET',
      { JWT_SECRET: old, STATUS_TOKEN_SECRET: stranger, STATUS_TOKEN_SECRET_PREVIOUS: next },
      { JWT_SECRET: old, STATUS_TOKEN_SECRET: next, STATUS_TOKEN_SECRET_PREVIOUS: stranger },
    ],
  ])('refuse no token and lose no stored answer: %s', async (_, before, after) => {
    const [one, two] = (await start(before, after)) as [TestService, TestService];
    const tokens = [one.tokenOf('ada'), two.tokenOf('ada')];
    expect(await answersTo(tokens)).toEqual(new Set([ASSIGNED]));

    for (const [minter, user] of [
      [one, two],
      [two, one],
    ] as const) {
      const minted = await mint(minter, secret());
      expect(minted.status).toBe(200);
      const { token } = JSON.parse(minted.text) as { token: string };
      expect((await manageStatus(user, tokens[0] as string, { id: 'ben', token })).text).toBe(STATUS_UPDATED);
    }
    for (const [first, again] of [
      [one, two],
      [two, one],
    ] as const) {
      const key = secret();
      const answer = await mint(first, key);
      const replay = await mint(again, key);
      expect([replay.text, replay.headers.get('idempotency-replayed')]).toEqual([answer.text, 'true']);
    }
  });

  it('sign with their own secret alone, and refuse a third one', async () => {
    await start({ JWT_SECRET: next, JWT_SECRET_PREVIOUS: old }, { JWT_SECRET: next });
    const [both, only] = services as [TestService, TestService];
    expect((await assign(only, both.tokenOf('ada'), BODY)).text).toBe(ASSIGNED);
    const { token } = JSON.parse((await mint(both, secret())).text) as { token: string };
    expect((await manageStatus(only, both.tokenOf('ada'), { id: 'ben', token })).text).toBe(STATUS_UPDATED);

    expect((await assign(both, handmade(old, claims()), BODY)).text).toBe(ASSIGNED);
    expect((await assign(only, handmade(old, claims()), BODY)).text).toBe(UNAUTHENTICATED);
    expect((await assign(both, handmade(stranger, claims()), BODY)).text).toBe(UNAUTHENTICATED);
    expect((await assign(both, handmade(old, { ...claims(), exp: inSeconds(-1) }), BODY)).text).toBe(UNAUTHENTICATED);
  });

  it('accept each of several public keys, by the algorithms of that key alone', async () => {
    const rsa = [0, 1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = ({ publicKey }: { publicKey: KeyObject }) => String(publicKey.export({ type: 'spki', format: 'pem' }));
    const by = (pair: { privateKey: KeyObject } | undefined, alg: string) =>
      new SignJWT(claims()).setProtectedHeader({ alg }).sign(pair?.privateKey as KeyObject);
    const keys = [rsa[0], rsa[1], ec].map((pair) => pem(pair as typeof ec)).join('');
    const [service] = (await start({ JWT_SECRET: '', JWT_PUBLIC_KEY: keys, STATUS_TOKEN_SECRET: old })) as [
      TestService,
    ];

    const accepted = [by(rsa[0], 'RS256'), by(rsa[1], 'RS256'), by(rsa[1], 'PS512'), by(ec, 'ES256')];
    expect(await answersTo(await Promise.all(accepted))).toEqual(new Set([ASSIGNED]));
    for (const token of [
      await by(rsa[2], 'RS256'),
      handmade(pem(ec), claims(), { alg: 'HS256' }),
      handmade(keys, claims(), { alg: 'HS256' }),
      handmade(pem(ec), claims(), { alg: 'RS256' }),
    ]) {
      expect((await assign(service, token, BODY)).text).toBe(UNAUTHENTICATED);
    }
  });
});
