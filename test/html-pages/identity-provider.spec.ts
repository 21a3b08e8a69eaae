import { IdentityProvider } from '../../src/html-pages/identity-provider';
import { json, JwksEndpoint, text } from '../auth/jwks-endpoint';

let endpoint: JwksEndpoint;
beforeEach(async () => (endpoint = await JwksEndpoint.open()));
afterEach(() => endpoint.down());

const issuer = () => new URL('/realms/acme', endpoint.url).href;

function metadata(changed: object = {}): object {
  return {
    issuer: issuer(),
    authorization_endpoint: 'https://login.example/auth',
    token_endpoint: 'https://id.example:8443/token',
    revocation_endpoint: 'https://out.example/revoke',
    end_session_endpoint: 'https://out.example/logout',
    jwks_uri: 'https://id.example/keys',
    ...changed,
  };
}

const KNOWN = () => ({
  issuer: issuer(),
  authorization_endpoint: 'https://login.example/auth',
  token_endpoint: 'https://id.example:8443/token',
  revocation_endpoint: 'https://out.example/revoke',
  end_session_endpoint: 'https://out.example/logout',
  authorization_response_iss_parameter_supported: false,
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

  it('does without addresses for revoking and for signing out that are none', async () => {
    endpoint.answers(
      json(metadata({ revocation_endpoint: 'javascript:alert(1)', end_session_endpoint: 'javascript:alert(2)' })),
    );
    expect(await known().metadata()).toEqual({
      ...KNOWN(),
      revocation_endpoint: undefined,
      end_session_endpoint: undefined,
    });
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
