import { CredentialsGrant, type CredentialsOptions } from './credentials-grant.ts';
import type { TokenRequest } from './token-source.ts';

/** Early enough that a call does not arrive with an expired token. */
const RENEW_BEFORE_MS = 60_000;
/** The pause after a failed renewal, while the old token is still valid. */
const REST_MS = 1_000;

interface KeptToken {
  text: string;
  /** From this time on a new token is requested, while this one is still returned. */
  renewAt: number;
  endsAt: number;
}

/**
 * Creates a token function that requests access tokens from an OAuth 2.0 server with the client credentials grant (RFC 6749 section 4.4).
 * It caches each token and renews it in the background before it expires. Concurrent callers share one request. The lifetime is measured
 * from the start of the request with a monotonic clock, so that changes of the system time do not matter.
 *
 * @example
 * const token = clientCredentials({ tokenUrl: 'https://id.example/token', clientId: 'billing', clientSecret, scope: 'users:administer' });
 * const client = new UserAdministrationClient({ baseUrl: 'https://users.example', token });
 */
export function clientCredentials(options: CredentialsOptions): (request?: Partial<TokenRequest>) => Promise<string> {
  const kept = new KeptTokens(new CredentialsGrant(options));
  return (request = {}) => kept.token(request.refused);
}

class KeptTokens {
  private kept: KeptToken | undefined;
  private fetching: Promise<string> | undefined;

  constructor(private readonly grant: CredentialsGrant) {}

  async token(refused: string | undefined): Promise<string> {
    if (this.kept && this.kept.text === refused) this.kept = undefined;
    const { kept } = this;
    const now = performance.now();
    if (!kept || now >= kept.endsAt) return this.fetch();
    if (now >= kept.renewAt) {
      kept.renewAt = now + REST_MS;
      // The old token is still valid, so a failed renewal must not fail this call.
      this.fetch().catch(() => undefined);
    }
    return kept.text;
  }

  private fetch(): Promise<string> {
    this.fetching ??= this.fetchNow().finally(() => (this.fetching = undefined));
    return this.fetching;
  }

  private async fetchNow(): Promise<string> {
    const asked = performance.now();
    const { token, lifetimeMs } = await this.grant.request();
    const early = Math.min(RENEW_BEFORE_MS, lifetimeMs / 5);
    this.kept = { text: token, renewAt: asked + lifetimeMs - early, endsAt: asked + lifetimeMs };
    return token;
  }
}
