import { CredentialsGrant, type CredentialsOptions } from './credentials-grant.ts';
import type { TokenRequest } from './token-source.ts';

/** Not much sooner than needed, not so late that a call could meet the end. */
const RENEW_BEFORE_MS = 60_000;
/** After a renewal that failed while the old token is still good. */
const REST_MS = 1_000;

interface KeptToken {
  text: string;
  /** From then on a new one is fetched while this one is still given. */
  renewAt: number;
  endsAt: number;
}

/**
 * A token function that gets its tokens from an OAuth 2.0 server by the client credentials grant (RFC 6749 section 4.4). It keeps
 * each token and renews it before it ends. However many callers wait, one request is under way. Time is measured by a clock that
 * nobody sets, from before the token was asked for.
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
      // The old token is good until it ends, so a renewal that fails is no failure of this call.
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
