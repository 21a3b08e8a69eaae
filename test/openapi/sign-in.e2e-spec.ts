import { IdentityProvider } from '../../src/openapi/identity-provider';
import { json, JwksEndpoint, text } from '../auth/jwks-endpoint';
import { startTestService, type TestService } from '../support/test-service';

let endpoint: JwksEndpoint;
beforeEach(async () => (endpoint = await JwksEndpoint.open()));
afterEach(() => endpoint.down());

const issuer = () => new URL('/realms/acme', endpoint.url).href;

function metadata(changed: object = {}): object {
  return {
    issuer: issuer(),
    authorization_endpoint: 'https://login.example/auth',
    token_endpoint: 'https://id.example:8443/token',
    jwks_uri: 'https://id.example/keys',
    ...changed,
  };
}

const KNOWN = () => ({
  issuer: issuer(),
  authorization_endpoint: 'https://login.example/auth',
  token_endpoint: 'https://id.example:8443/token',
  authorization_response_iss_parameter_supported: false,
});

describe('a service with an identity provider', () => {
  let service: TestService;
  afterEach(() => service?.close());

  it('gives the page what it needs to sign people in, lets it call the provider, and names the scheme in the document', async () => {
    endpoint.answers(json(metadata()));
    service = await startTestService({
      environment: {
        JWT_SECRET: '',
        JWT_JWKS_URI: endpoint.url,
        STATUS_TOKEN_SECRET: 'a secret of the service, for its own tokens',
        JWT_USER_CLAIM: 'oid',
        PUBLIC_URL: 'https://intranet.example/users',
        OIDC_ISSUER: issuer(),
        OIDC_CLIENT_ID: '"><script>',
        OIDC_SCOPE: 'openid users',
        OIDC_AUDIENCE: 'api://users',
      },
    });
    await fetch(`${service.url}/api/docs`);
    const response = await fetch(`${service.url}/api/docs/`);
    expect(endpoint.requests).toBe(1);
    const { origin } = new URL(issuer());
    expect(response.headers.get('content-security-policy')?.split(';')).toContain(
      `connect-src 'self' ${origin} https://login.example https://id.example:8443`,
    );
    const page = await response.text();
    const [, content = ''] = /<meta name="sign-in" content="([^"]*)" \/>/.exec(page) ?? [];
    expect(content).not.toContain('<');
    expect(JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'))).toEqual({
      provider: KNOWN(),
      clientId: '"><script>',
      scope: 'openid users',
      audience: 'api://users',
      base: 'https://intranet.example/users',
      userClaim: 'oid',
      now: expect.any(Number) as number,
    });
    const [, script = ''] = /<script src="\.\/([^"]*\/sign-in\.js)">/.exec(page) ?? [];
    const file = await fetch(`${service.url}/api/docs/${script}`);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');

    const { components, paths } = (await (await fetch(`${service.url}/api/docs-json`)).json()) as {
      components: { securitySchemes: Record<string, object> };
      paths: Record<string, Record<string, { security: object[] }>>;
    };
    expect(components.securitySchemes.organisation).toMatchObject({
      type: 'openIdConnect',
      openIdConnectUrl: `${issuer()}/.well-known/openid-configuration`,
    });
    expect(paths['/api/users']?.get?.security).toEqual([{ bearer: [] }, { organisation: ['openid', 'users'] }]);
    expect(paths['/health/live']?.get?.security).toEqual([]);
  });
});

describe('the discovery of the identity provider', () => {
  let now = 0;
  const known = () => new IdentityProvider(issuer(), { refreshMs: 1_000, retryMs: 100, timeoutMs: 3_000 }, () => now);

  it.each<[string, () => void]>([
    ['another issuer', () => endpoint.answers(json(metadata({ issuer: 'https://id.example' })))],
    ['a list', () => endpoint.answers(json([]))],
    ['null', () => endpoint.answers(json(null))],
    ['no JSON', () => endpoint.answers(text(200, 'text/html', '<p>Sign in</p>'))],
    ['an error', () => endpoint.answers(text(404, 'application/json', '{}'))],
    ['no token endpoint', () => endpoint.answers(json(metadata({ token_endpoint: undefined })))],
    ['a script', () => endpoint.answers(json(metadata({ authorization_endpoint: 'javascript:alert(1)' })))],
    ['too much', () => endpoint.answers(json(metadata({ more: 'x'.repeat(600_000) })))],
    [
      'a redirect',
      () => endpoint.answers((_, response) => void response.writeHead(302, { location: 'https://id.example' }).end()),
    ],
  ])('takes nothing of %s, and asks again after a pause', async (_, act) => {
    const provider = known();
    act();
    expect(await provider.metadata()).toBeUndefined();
    endpoint.answers(json(metadata()));
    expect(await provider.metadata()).toBeUndefined();
    expect(endpoint.requests).toBe(1);
    now += 100;
    expect(await provider.metadata()).toEqual(KNOWN());
  });

  it('is asked once by all who wait, again in the background when it is old, and is kept while the provider is away', async () => {
    const provider = known();
    endpoint.answers(json(metadata()));
    expect(await Promise.all([provider.metadata(), provider.metadata()])).toEqual([KNOWN(), KNOWN()]);
    expect(endpoint.requests).toBe(1);
    now += 1_000;
    const asked = endpoint.nextRequest();
    endpoint.answers(text(503, 'text/plain', 'away'));
    expect(await provider.metadata()).toEqual(KNOWN());
    await asked;
    expect(await provider.metadata()).toEqual(KNOWN());
  });
});
