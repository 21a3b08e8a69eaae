import { ProviderEndpoint } from './provider-endpoint';
import { startTestService, type TestService } from '../support/test-service';

const provider = ProviderEndpoint.forEachTest();

describe('a service with an identity provider', () => {
  let service: TestService;
  afterEach(() => service?.close());

  it('gives its pages what they need to sign people in, lets them call the provider, and names the scheme in the document', async () => {
    provider.tell();
    service = await startTestService({
      environment: {
        JWT_SECRET: '',
        JWT_JWKS_URI: provider.endpoint.url,
        STATUS_TOKEN_SECRET: 'a secret of the service, for its own tokens',
        JWT_USER_CLAIM: 'oid',
        PUBLIC_URL: 'https://intranet.example/users',
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: '"><script>',
        OIDC_SCOPE: 'openid users',
        OIDC_AUDIENCE: 'api://users',
      },
    });
    await fetch(`${service.url}/api/docs`);
    const response = await fetch(`${service.url}/api/docs/`);
    expect(provider.endpoint.requests).toBe(1);
    const { origin } = new URL(provider.issuer);
    expect(response.headers.get('content-security-policy')?.split(';')).toContain(
      `connect-src 'self' ${origin} https://login.example https://id.example:8443 https://out.example`,
    );
    const page = await response.text();
    const meta = (html: string) => /<meta name="sign-in" content="([^"]*)" \/>/.exec(html)?.[1] ?? '';
    const content = meta(page);
    expect(content).not.toContain('<');
    expect(JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'))).toEqual({
      provider: provider.known(),
      clientId: '"><script>',
      scope: 'openid users',
      audience: 'api://users',
      base: 'https://intranet.example/users',
      userClaim: 'oid',
      now: expect.any(Number) as number,
    });
    const admin = await fetch(`${service.url}/admin`);
    expect(admin.headers.get('content-security-policy')).toBe(response.headers.get('content-security-policy'));
    expect(meta(await admin.text()).replace(/\d+\}$/, '')).toBe(content.replace(/\d+\}$/, ''));
    expect(provider.endpoint.requests).toBe(1);

    const [, script = ''] = /<script src="\.\/([^"]*\/swagger-sign-in\.js)">/.exec(page) ?? [];
    const file = await fetch(`${service.url}/api/docs/${script}`);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');

    const { components, paths } = (await (await fetch(`${service.url}/api/docs-json`)).json()) as {
      components: { securitySchemes: Record<string, object> };
      paths: Record<string, Record<string, { security: object[] }>>;
    };
    expect(components.securitySchemes.organisation).toMatchObject({
      type: 'openIdConnect',
      openIdConnectUrl: `${provider.issuer}/.well-known/openid-configuration`,
    });
    expect(paths['/api/users']?.get?.security).toEqual([{ bearer: [] }, { organisation: ['openid', 'users'] }]);
    expect(paths['/health/live']?.get?.security).toEqual([]);
  });
});
