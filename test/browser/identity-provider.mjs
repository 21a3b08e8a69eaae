// A real identity provider, which tests start as a process: it is an ES module, and has a clock of its own.
// node identity-provider.mjs <port> <redirect URI>...
const [, , port, ...redirectUris] = process.argv;
const issuer = `http://127.0.0.1:${port}`;

const LIFETIME_S = 600;
const state = { aheadMs: 0 };
process.on('message', (changed) => {
  Object.assign(state, changed);
  process.send('changed');
});
process.on('disconnect', () => process.exit());

const { now } = Date;
Date.now = () => now() + state.aheadMs;

const { Provider } = await import('oidc-provider');

const client = {
  redirect_uris: redirectUris,
  post_logout_redirect_uris: redirectUris,
  response_types: ['code'],
  grant_types: ['authorization_code', 'refresh_token'],
};
const provider = new Provider(issuer, {
  clients: [
    { ...client, client_id: 'page', token_endpoint_auth_method: 'none' },
    {
      ...client,
      client_id: 'with-secret',
      client_secret: 'a secret',
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  clientBasedCORS: () => true,
  findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  cookies: { keys: ['of a test'] },
  scopes: ['openid', 'offline_access'],
  features: {
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, resource) => ({
        scope: '',
        audience: resource,
        accessTokenFormat: 'jwt',
        accessTokenTTL: LIFETIME_S,
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});
provider.listen(Number(port), '127.0.0.1', () => process.send('ready'));
