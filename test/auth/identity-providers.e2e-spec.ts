import { TokenVerifier } from '@user-administration/access-tokens';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { JWTPayload } from 'jose';
import { requireService } from '../../src/auth/service-caller.rules';
import { loadConfig } from '../../src/load-config';
import { startTestService, type TestService } from '../support/test-service';
import { type Answer, ask, manageStatus, NOT_PERMITTED, STATUS_UPDATED, UNAUTHENTICATED } from '../support/ask';
import { inSeconds } from '../support/forged-tokens';
import { JwksEndpoint } from '../../packages/access-tokens/test/jwks-endpoint';
import { signingKey, type SigningKeyPair, tokenBy } from './signing-keys';

/** Settings and tokens are those of the page, so that the page is true. */
const PAGE = readFileSync(join(__dirname, '../../docs/identity-providers.md'), 'utf8');

interface Shape {
  /** What the page says of the token, such as `A service, in version 1.0`. */
  title: string;
  header: { alg: string };
  payload: JWTPayload;
}

interface Provider {
  name: string;
  settings: Record<string, string>;
  shapes: Shape[];
}

const PROVIDERS: Provider[] = PAGE.split(/^## /m)
  .filter((section) => section.includes('```ini'))
  .map((section) => ({
    name: section.slice(0, section.indexOf('\n')),
    settings: parseEnv(/```ini\n(.*?)```/s.exec(section)?.[1] ?? '') as Record<string, string>,
    shapes: [...section.matchAll(/^((?:A|Refused)[^\n]*):\n\n```json\n(.*?)```/gms)].map(
      ([, title = '', json = '']) => ({
        title,
        ...(JSON.parse(json) as Omit<Shape, 'title'>),
      }),
    ),
  }));

const STATUS_TOKEN_SECRET = 'a secret of the service, for its own tokens';

let key: SigningKeyPair;

beforeAll(async () => {
  key = await signingKey('key-1');
});

it('the tests cover the five identity providers of the documentation, each with a service, a person and a refused token', () => {
  expect(PROVIDERS.map(({ name }) => name)).toEqual(['Keycloak', 'Auth0', 'Okta', 'Entra ID', 'Cognito']);
  for (const { shapes } of PROVIDERS) {
    const kinds = new Set(shapes.map(({ title }) => title.split(',')[0]));
    expect(kinds).toEqual(new Set(['A service', 'A user', 'Refused']));
  }
});

describe.each(PROVIDERS)('$name', ({ settings, shapes }) => {
  const scopeClaim = settings.JWT_SCOPE_CLAIM ?? 'scope';
  const userClaim = settings.JWT_USER_CLAIM ?? 'sub';
  const of = (kind: string) => shapes.filter(({ title }) => title.startsWith(kind));
  let endpoint: JwksEndpoint;
  let service: TestService;

  beforeAll(async () => {
    const encryption = await signingKey('key-2', 'RS256');
    endpoint = await JwksEndpoint.open({ ...key.jwk, use: 'sig' }, { ...encryption.jwk, use: 'enc', alg: 'RSA-OAEP' });
    const environment = {
      ...settings,
      JWT_SECRET: '',
      JWT_JWKS_URI: endpoint.url,
      STATUS_TOKEN_SECRET,
    };
    service = await startTestService({ environment });
  });
  afterAll(async () => {
    await service.close();
    await endpoint.down();
  });
  beforeEach(async () => {
    await service.directory.clear();
    await service.directory.user('max');
  });

  /** A token of this shape that is valid now, with some claims changed. */
  function signed({ header: { alg, ...header }, payload }: Shape, changed: object = {}): Promise<string> {
    const times = { iat: inSeconds(0), exp: inSeconds(300), ...('nbf' in payload ? { nbf: inSeconds(0) } : {}) };
    return tokenBy(key, alg, header, { ...payload, ...times, ...changed });
  }
  const me = (token: string): Promise<Answer> =>
    ask(`${service.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
  const grant = (token: string): Promise<Answer> => manageStatus(service, token, { id: 'max', token });

  /** Neither a caller nor good for a grant. */
  async function expectRefused(token: string): Promise<void> {
    expect((await me(token)).text).toBe(UNAUTHENTICATED);
    expect((await grant(token)).text).toBe(NOT_PERMITTED);
  }

  it.each(of('A service'))('$title, is let in as an administrator', async (shape) => {
    const token = await signed(shape);
    const { status, text } = await me(token);
    const body = { kind: 'service', id: shape.payload.sub, administrator: true };
    expect({ status, body: JSON.parse(text) as unknown }).toEqual({ status: 200, body });
    expect((await grant(token)).text).toBe(STATUS_UPDATED);
  });

  it.each(of('A service'))('$title, is refused without the scope', async (shape) => {
    for (const scopes of ['openid', ['openid'], undefined]) {
      await expectRefused(await signed(shape, { [scopeClaim]: scopes }));
    }
  });

  it.each(of('A user'))('$title, is refused without a record, whatever the scope', async (shape) => {
    expect([shape.payload[scopeClaim]].flat().join(' ')).toContain(settings.JWT_ADMIN_SCOPE ?? 'users:administer');
    await expectRefused(await signed(shape));
  });

  it.each(of('A user'))('$title, is what the record says', async (shape) => {
    const id = String(shape.payload[userClaim]);
    const token = await signed(shape);
    await service.directory.user(id, { type: 'administrator' });
    const { status, text } = await me(token);
    const user = expect.objectContaining({ id, type: 'administrator', status: 'active' }) as object;
    const body = { kind: 'user', id, administrator: true, user };
    expect({ status, body: JSON.parse(text) as unknown }).toEqual({ status: 200, body });
    expect((await grant(token)).text).toBe(STATUS_UPDATED);

    await service.dataSource.query(`UPDATE users SET type = 'guest' WHERE id = $1`, [id]);
    expect(JSON.parse((await me(token)).text)).toMatchObject({ kind: 'user', id, administrator: false });
    expect((await grant(token)).text).toBe(NOT_PERMITTED);

    await service.dataSource.query(`UPDATE users SET type = 'administrator', status = 'inactive' WHERE id = $1`, [id]);
    await expectRefused(token);
  });

  it.each(of('A service'))('$title, is a user where the user of its token has a record', async (shape) => {
    const id = shape.payload[userClaim];
    if (typeof id !== 'string') return;
    await service.directory.user(id);
    expect(JSON.parse((await me(await signed(shape))).text)).toMatchObject({ kind: 'user', id, administrator: false });
  });

  it.each(of('Refused'))('$title', async (shape) => {
    const id = shape.payload[userClaim];
    const isPersons = !shape.title.startsWith('Refused, a service');
    if (isPersons && typeof id === 'string') await service.directory.user(id, { type: 'administrator' });
    await expectRefused(await signed(shape));
  });

  for (const shape of of('Refused, a service')) {
    it(`${shape.title}, is let in where its subject is listed`, async () => {
      const config = loadConfig({
        ...settings,
        JWT_JWKS_URI: endpoint.url,
        JWT_SERVICE_SUBJECTS: shape.payload.sub,
        STATUS_TOKEN_SECRET,
      });
      const claims = await new TokenVerifier(config.accessTokens).verify(await signed(shape));
      expect(() => requireService(claims, config.accessTokens)).not.toThrow();
    });
  }

  it.each(of('A'))('$title, is refused when it is for somebody else, or by somebody else', async (shape) => {
    if ('JWT_AUDIENCE' in settings) await expectRefused(await signed(shape, { aud: 'https://other.example.com' }));
    await expectRefused(await signed(shape, { iss: `${shape.payload.iss}x` }));
  });
});
