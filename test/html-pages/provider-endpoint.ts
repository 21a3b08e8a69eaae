import { json, JwksEndpoint } from '../../packages/access-tokens/test/jwks-endpoint';

/** Where an identity provider tells its addresses, for each test. */
export class ProviderEndpoint {
  endpoint!: JwksEndpoint;

  static forEachTest(): ProviderEndpoint {
    const provider = new ProviderEndpoint();
    beforeEach(async () => (provider.endpoint = await JwksEndpoint.open()));
    afterEach(() => provider.endpoint.down());
    return provider;
  }

  get issuer(): string {
    return new URL('/realms/acme', this.endpoint.url).href;
  }

  /** Tells its addresses from now on. */
  tell(changed: object = {}): void {
    const { authorization_response_iss_parameter_supported: _, ...told } = this.known();
    this.endpoint.answers(json({ ...told, jwks_uri: 'https://id.example/keys', ...changed }));
  }

  /** What the service keeps of it. */
  known() {
    return {
      issuer: this.issuer,
      authorization_endpoint: 'https://login.example/auth',
      token_endpoint: 'https://id.example:8443/token',
      revocation_endpoint: 'https://out.example/revoke',
      end_session_endpoint: 'https://out.example/logout',
      authorization_response_iss_parameter_supported: false,
    };
  }
}
