import { IdentityProvider } from '../../src/html-pages/identity-provider';
import { json, text } from '../../packages/access-tokens/test/jwks-endpoint';
import { ProviderEndpoint } from './provider-endpoint';

const provider = ProviderEndpoint.forEachTest();

describe('the discovery of the identity provider', () => {
  let now = 0;
  const known = () =>
    new IdentityProvider(provider.issuer, { refreshMs: 1_000, retryMs: 100, timeoutMs: 3_000 }, () => now);

  it.each<[string, () => void]>([
    ['another issuer', () => provider.tell({ issuer: 'https://id.example' })],
    ['a list', () => provider.endpoint.answers(json([]))],
    ['null', () => provider.endpoint.answers(json(null))],
    ['no JSON', () => provider.endpoint.answers(text(200, 'text/html', '<p>Sign in</p>'))],
    ['an error', () => provider.endpoint.answers(text(404, 'application/json', '{}'))],
    ['no token endpoint', () => provider.tell({ token_endpoint: undefined })],
    ['a script', () => provider.tell({ authorization_endpoint: 'javascript:alert(1)' })],
    ['too much', () => provider.tell({ more: 'x'.repeat(600_000) })],
    [
      'a redirect',
      () =>
        provider.endpoint.answers(
          (_, response) => void response.writeHead(302, { location: 'https://id.example' }).end(),
        ),
    ],
  ])('takes nothing of %s, and asks again after a pause', async (_, act) => {
    const discovered = known();
    act();
    expect(await discovered.metadata()).toBeUndefined();
    provider.tell();
    expect(await discovered.metadata()).toBeUndefined();
    expect(provider.endpoint.requests).toBe(1);
    now += 100;
    expect(await discovered.metadata()).toEqual(provider.known());
  });

  it('does without addresses for revoking and for signing out that are none', async () => {
    provider.tell({ revocation_endpoint: 'javascript:alert(1)', end_session_endpoint: 'javascript:alert(2)' });
    expect(await known().metadata()).toEqual({
      ...provider.known(),
      revocation_endpoint: undefined,
      end_session_endpoint: undefined,
    });
  });

  it('is asked once by all who wait, again in the background when it is old, and is kept while the provider is away', async () => {
    const discovered = known();
    provider.tell();
    expect(await Promise.all([discovered.metadata(), discovered.metadata()])).toEqual([
      provider.known(),
      provider.known(),
    ]);
    expect(provider.endpoint.requests).toBe(1);
    now += 1_000;
    const asked = provider.endpoint.nextRequest();
    provider.endpoint.answers(text(503, 'text/plain', 'away'));
    expect(await discovered.metadata()).toEqual(provider.known());
    await asked;
    expect(await discovered.metadata()).toEqual(provider.known());
  });
});
