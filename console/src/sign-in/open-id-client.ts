import * as oauth from 'oauth4webapi';
import { keptInBrowser, keptInTab } from '../storage.ts';
import { type Answer, type Begun, type Prompt, rememberBegun, SIGNED_OUT, takeAnswer } from './begun.ts';
import { claimsOf } from './claims.ts';
import { problemOf, SignInError, type SignInProblem } from './problem.ts';
import { readSettings, type SignInSettings } from './settings.ts';
import { askTabs, hearTabs, type TabMessage, tellTabs } from './tabs.ts';

const TIMEOUT_MS = 15_000;
const REVOKE_WITHIN_MS = 3_000;
/** A token is renewed this long before its end, or after four fifths of its time. */
const RENEW_BEFORE_S = 60;
const RETRY_MS = 10_000;
/** The service refuses a token that was issued further ahead than this. */
const AHEAD_S = 60;
/** A browser would treat a longer delay as 0. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

type News =
  | { token: string }
  | { problem: SignInProblem }
  /** The provider was asked without a word to the person, and nobody is signed in there. */
  | { nobody: true };

/** This browser was signed in: the next time it is enough to ask the provider. No token. */
const SIGNED_IN = 'signed-in';
/** The provider gives a refresh token only to who was asked for consent. */
const CONSENT = 'consent';
/** OpenID Connect Core 1.0 section 3.1.2.6. */
const NOBODY = /^(login|interaction|consent|account_selection)_required$/;

/**
 * Signs people in at the identity provider: authorization code with PKCE, by redirect. Tokens stay in the memory of this tab. The browser
 * remembers that it was signed in, and asks the provider again when the page is opened (`prompt=none` in the top window, which needs no
 * third-party cookies).
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
  private idToken: string | undefined;
  /** Begun in a window of its own, over the page. */
  private inWindow: Begun | undefined;
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

  /** The browser was signed in when this page was last open. */
  get wasSignedIn(): boolean {
    return keptInBrowser.get(SIGNED_IN) !== undefined && this.settings.provider !== null;
  }

  /** Leaves the page for the provider. @returns what kept it from that */
  async begin(prompt?: Prompt): Promise<SignInProblem | undefined> {
    try {
      if (!keptInTab.isLasting) throw new SignInError('no_storage');
      const { url, begun } = await this.authorization(prompt);
      rememberBegun(begun);
      // Without a word to the person: the way back leads to the page before.
      if (prompt === 'none') location.replace(url);
      else location.assign(url);
      return undefined;
    } catch (error) {
      return problemOf(error);
    }
  }

  /** Opens the provider in a window of its own: the page and what was typed stay. */
  async beginInWindow(): Promise<SignInProblem | undefined> {
    // At once: browsers open windows only for a click.
    const opened = open('', '_blank', 'popup,width=520,height=720');
    try {
      const { url, begun } = await this.authorization();
      this.inWindow = begun;
      if (!opened) throw new SignInError('no_window');
      opened.location.href = url.href;
      return undefined;
    } catch (error) {
      opened?.close();
      return problemOf(error);
    }
  }

  /** Completes what the address answered, if it did. @param listener is told the first token, each renewed one, and what went wrong */
  finish(listener: (news: News) => void): void {
    this.tell = listener;
    hearTabs((message) => message.kind === 'answer' && this.takeFromWindow(message.address));
    this.exchanged
      ?.finally(() => (this.isUnderWay = false))
      .then(
        (result) => this.keep(result),
        (error) => this.fail(error),
      );
  }

  /** The token of this tab is renewed before it ends. */
  get canRenew(): boolean {
    return this.refreshToken !== undefined;
  }

  private takeFromWindow(text: string): void {
    const address = new URL(text);
    const begun = this.inWindow;
    if (!begun || address.searchParams.get('state') !== begun.state) return;
    this.inWindow = undefined;
    tellTabs({ kind: 'taken', address: text });
    this.exchange({ address, begun }).then(
      (result) => this.keep(result),
      (error) => this.fail(error),
    );
  }

  private fail(error: unknown): void {
    const { error: code } = error as { error?: string };
    if (typeof code !== 'string' || !NOBODY.test(code)) return this.tell({ problem: problemOf(error) });
    keptInBrowser.remove(SIGNED_IN);
    this.tell({ nobody: true });
  }

  /** Forgets the tokens. @param isEnd also ends the session at the provider, which leads back to the page */
  async signOut(isEnd = false): Promise<void> {
    const { refreshToken: given, idToken, token } = this;
    const { provider } = this.settings;
    clearTimeout(this.renewal);
    this.refreshToken = this.token = this.idToken = undefined;
    keptInBrowser.remove(SIGNED_IN);
    if (given && provider?.revocation_endpoint) {
      const options = {
        ...this.requestOptions(REVOKE_WITHIN_MS),
        additionalParameters: { token_type_hint: 'refresh_token' },
      };
      // Without an answer, it ends by itself.
      await oauth.revocationRequest(provider, this.client, oauth.None(), given, options).catch(() => undefined);
    }
    if (!isEnd || !token || !provider?.end_session_endpoint) return;
    // OpenID Connect RP-Initiated Logout 1.0.
    const url = new URL(provider.end_session_endpoint);
    url.searchParams.set('client_id', this.settings.clientId);
    url.searchParams.set('post_logout_redirect_uri', this.redirectUri);
    url.searchParams.set('state', SIGNED_OUT);
    if (idToken) url.searchParams.set('id_token_hint', idToken);
    location.assign(url);
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

  private async authorization(wanted?: Prompt): Promise<{ url: URL; begun: Begun }> {
    if (!isSecureContext) throw new SignInError('insecure');
    const { clientId, scope, audience } = this.settings;
    const url = new URL(this.provider().authorization_endpoint ?? '');
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const scopes = scope.split(' ');
    // Only an answer with an ID token has a nonce.
    const nonce = scopes.includes('openid') ? oauth.generateRandomNonce() : undefined;
    const prompt = wanted ?? (keptInBrowser.get(CONSENT) !== undefined ? 'consent' : undefined);
    const parameters = {
      client_id: clientId,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(nonce && { nonce }),
      ...(prompt && { prompt }),
      ...(audience && { audience, resource: audience }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const fragment = location.hash.startsWith('#/') ? location.hash : '';
    return { url, begun: { verifier, state, nonce, redirectUri: this.redirectUri, prompt, fragment } };
  }

  private async exchange({ address, begun }: Answer): Promise<oauth.TokenEndpointResponse> {
    if (!begun) {
      const answer = { kind: 'answer', address: address.href } as const;
      const taken = await askTabs(
        answer,
        (message): message is TabMessage => message.kind === 'taken' && message.address === address.href,
      );
      throw new SignInError(taken ? 'handed_over' : 'not_begun_here');
    }
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
    const options = { expectedNonce: begun.nonce };
    const result = await oauth.processAuthorizationCodeResponse(provider, client, response, options);
    await this.askForConsent(begun, result);
    return result;
  }

  /** OpenID Connect Core 1.0 section 11: without consent there can be no refresh token. A provider that gives one is never asked for it. */
  private async askForConsent(begun: Begun, { refresh_token: given }: oauth.TokenEndpointResponse): Promise<void> {
    const isWanted = this.settings.scope.split(' ').includes('offline_access');
    if (given || !isWanted || begun.prompt === 'none' || begun.prompt === 'consent' || begun === this.inWindow) return;
    if (keptInBrowser.get(CONSENT) !== undefined) return;
    keptInBrowser.set(CONSENT, '1');
    if ((await this.begin('consent')) === undefined) await new Promise(() => undefined);
  }

  private keep({
    access_token: token,
    refresh_token: next,
    id_token: idToken,
    expires_in: seconds = 0,
  }: oauth.TokenEndpointResponse): void {
    this.token = token;
    this.refreshToken = next ?? this.refreshToken;
    this.idToken = idToken ?? this.idToken;
    keptInBrowser.set(SIGNED_IN, '1');
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
