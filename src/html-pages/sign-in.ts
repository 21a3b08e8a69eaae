import type { Config } from '../config/config';
import type { SignInConfig } from '../config/sign-in.config';
import { IdentityProvider } from './identity-provider';

/** The settings with which the page signs in. */
interface SignInSettings {
  /** As discovered; null while the provider is away. */
  provider: object | null;
  clientId: string;
  scope: string;
  audience: string | null;
  /** `PUBLIC_URL`, if it is set: the provider leads back to `{base}/api/docs`. */
  base: string | null;
  /** The claim of an access token that names the user. */
  userClaim: string;
  /** The time of the service in seconds: the clock of the browser may be wrong. */
  now: number;
}

/** Signing in to the page by the identity provider of the configuration. */
export class SignIn {
  private readonly provider: IdentityProvider;

  constructor(
    private readonly config: SignInConfig,
    private readonly publicUrl: string,
    private readonly userClaim: string,
  ) {
    this.provider = new IdentityProvider(config.issuer);
  }

  /** @returns undefined if the configuration has no identity provider */
  static of({ signIn, publicUrl, accessTokens }: Config): SignIn | undefined {
    return signIn && new SignIn(signIn, publicUrl, accessTokens.userClaim);
  }

  /** What the page is given, and the origins that it may call. */
  async present(): Promise<{ settings: SignInSettings; origins: string[] }> {
    const { issuer, clientId, scope, audience = null } = this.config;
    const provider = (await this.provider.metadata()) ?? null;
    const { authorization_endpoint, token_endpoint, revocation_endpoint } = provider ?? {};
    const addresses = [issuer, authorization_endpoint, token_endpoint, revocation_endpoint];
    const settings = {
      provider,
      clientId,
      scope,
      audience,
      base: this.publicUrl || null,
      userClaim: this.userClaim,
      now: Math.floor(Date.now() / 1_000),
    };
    return {
      settings,
      origins: [...new Set(addresses.flatMap((address) => (address ? new URL(address).origin : [])))],
    };
  }
}
