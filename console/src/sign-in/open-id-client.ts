import * as oauth from 'oauth4webapi';
import { type Answer, rememberBegun, takeAnswer } from './begun.ts';
import { claimsOf } from './claims.ts';
import { problemOf, SignInError, type SignInProblem } from './problem.ts';
import { readSettings, type SignInSettings } from './settings.ts';

const TIMEOUT_MS = 15_000;
const REVOKE_WITHIN_MS = 3_000;
/** A token is renewed so long before its end, or after four fifths of its time. */
const RENEW_BEFORE_S = 60;
const RETRY_MS = 10_000;
/** The service refuses a token from so far ahead. */
const AHEAD_S = 60;
/** A browser would treat a longer delay as 0. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

type News = { token: string } | { problem: SignInProblem };

/**
 * Signs people in at the identity provider of the organisation: authorization code with PKCE, by redirect. Tokens stay in the memory of
 * this tab.
 */
export class OpenIdClient {
  private readonly client: oauth.Client;
  /** The clock of the browser may be wrong: times are judged by that of the service. */
  private readonly skew: number;
  /** Whether an answer of the provider is being exchanged for a token. */
  isUnderWay: boolean;
  private readonly exchanged: Promise<oauth.TokenEndpointResponse> | undefined;
  private tell: (news: News) => void = () => undefined;
  /** The newest token of this tab. */
  private token: string | undefined;
  private refreshToken: string | undefined;
  private renewal: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    private readonly settings: SignInSettings,
    private readonly redirectUri: string,
    answer: Answer | undefined,
  ) {
    this.skew = settings.now - Math.floor(Date.now() / 1000);
    this.client = { client_id: settings.clientId, [oauth.clockSkew]: this.skew, [oauth.clockTolerance]: AHEAD_S };
    // Begins at once, while the rest of the page still loads. What goes wrong is told when the page can show it.
    this.exchanged = answer && this.exchange(answer);
    this.exchanged?.catch(() => undefined);
    this.isUnderWay = answer !== undefined;
  }

  /**
   * @param path that of the page below the service, to which the provider leads back: `/admin`
   * @returns undefined if the service has no identity provider
   */
  static ofPage(path: string): OpenIdClient | undefined {
    const settings = readSettings();
    if (!settings) return undefined;
    const here = location.origin + location.pathname.replace(/\/(index\.html)?$/, '');
    return new OpenIdClient(settings, settings.base ? settings.base + path : here, takeAnswer());
  }

  /** Leaves the page for the provider. @returns what kept it from that */
  async begin(): Promise<SignInProblem | undefined> {
    try {
      location.assign(await this.authorizationUrl());
      return undefined;
    } catch (error) {
      return problemOf(error);
    }
  }

  /** Completes what the address answered, if it did. @param listener is told the first token, each renewed one, and what went wrong */
  finish(listener: (news: News) => void): void {
    this.tell = listener;
    this.exchanged
      ?.finally(() => (this.isUnderWay = false))
      .then(
        (result) => this.keep(result),
        (error) => this.tell({ problem: problemOf(error) }),
      );
  }

  /** Forgets the tokens, also at the provider if it can be told. */
  async signOut(): Promise<void> {
    const { refreshToken: given } = this;
    clearTimeout(this.renewal);
    this.refreshToken = this.token = undefined;
    if (!given || !this.settings.provider?.revocation_endpoint) return;
    const options = {
      ...this.requestOptions(REVOKE_WITHIN_MS),
      additionalParameters: { token_type_hint: 'refresh_token' },
    };
    // Without an answer, it ends by itself.
    await oauth
      .revocationRequest(this.settings.provider, this.client, oauth.None(), given, options)
      .catch(() => undefined);
  }

  /** Why the service refuses the token of this tab; undefined for any other token, and for one that has expired. */
  whyRefused(refused: string): SignInProblem | undefined {
    const claims = claimsOf(refused);
    const now = Date.now() / 1000 + this.skew;
    if (refused !== this.token || Number(claims.exp) <= now) return undefined;
    if (Number(claims.iat) > now + AHEAD_S || Number(claims.nbf) > now + AHEAD_S) return { kind: 'clock_ahead' };
    return { kind: 'unknown_user', name: String(claims[this.settings.userClaim] ?? claims.sub ?? '?') };
  }

  private provider(): oauth.AuthorizationServer {
    if (!this.settings.provider) throw new SignInError('away');
    return this.settings.provider;
  }

  private async authorizationUrl(): Promise<URL> {
    if (!isSecureContext) throw new SignInError('insecure');
    const { clientId, scope, audience } = this.settings;
    const url = new URL(this.provider().authorization_endpoint ?? '');
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const scopes = scope.split(' ');
    // Only an answer with an ID token has a nonce.
    const nonce = scopes.includes('openid') ? oauth.generateRandomNonce() : undefined;
    const parameters = {
      client_id: clientId,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(nonce && { nonce }),
      // OpenID Connect Core 1.0 section 11.
      ...(scopes.includes('offline_access') && { prompt: 'consent' }),
      ...(audience && { audience, resource: audience }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const fragment = location.hash.startsWith('#/') ? location.hash : '';
    rememberBegun({ verifier, state, nonce, redirectUri: this.redirectUri, fragment });
    return url;
  }

  private async exchange({ address, begun }: Answer): Promise<oauth.TokenEndpointResponse> {
    if (!begun) throw new SignInError('not_begun_here');
    const { client } = this;
    const provider = this.provider();
    const response = await oauth.authorizationCodeGrantRequest(
      provider,
      client,
      oauth.None(),
      oauth.validateAuthResponse(provider, client, address, begun.state),
      begun.redirectUri,
      begun.verifier,
      this.requestOptions(),
    );
    return oauth.processAuthorizationCodeResponse(provider, client, response, { expectedNonce: begun.nonce });
  }

  private keep({
    access_token: token,
    refresh_token: next,
    expires_in: seconds = 0,
  }: oauth.TokenEndpointResponse): void {
    this.token = token;
    this.refreshToken = next ?? this.refreshToken;
    this.tell({ token });
    if (!this.refreshToken || !(seconds > 0)) return;
    const endsAt = performance.now() + seconds * 1000;
    this.renewLater(Math.max(seconds - RENEW_BEFORE_S, seconds * 0.8) * 1000, endsAt);
  }

  private renewLater(ms: number, endsAt: number): void {
    clearTimeout(this.renewal);
    this.renewal = setTimeout(() => void this.renew(endsAt), Math.min(ms, LONGEST_DELAY_MS));
  }

  /** Until it ends, the token is used, so a renewal that fails is only repeated. A provider that refuses it ends that. */
  private async renew(endsAt: number): Promise<void> {
    const used = this.refreshToken;
    if (!used) return;
    try {
      const provider = this.provider();
      const options = this.requestOptions();
      const response = await oauth.refreshTokenGrantRequest(provider, this.client, oauth.None(), used, options);
      const result = await oauth.processRefreshTokenResponse(provider, this.client, response);
      if (used === this.refreshToken) this.keep(result);
    } catch (error) {
      const isRefused = error instanceof oauth.ResponseBodyError;
      if (used !== this.refreshToken || isRefused || performance.now() + RETRY_MS > endsAt) return;
      this.renewLater(RETRY_MS, endsAt);
    }
  }

  private requestOptions(timeoutMs = TIMEOUT_MS) {
    const { audience } = this.settings;
    return {
      // For a provider of plain http, which the configuration permits for development.
      [oauth.allowInsecureRequests]: true,
      signal: AbortSignal.timeout(timeoutMs),
      additionalParameters: audience ? { audience, resource: audience } : undefined,
    };
  }
}
