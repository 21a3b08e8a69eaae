/*
 * Signs in at the identity provider of the organisation: authorization code with PKCE, by redirect. Tokens stay in the memory of this
 * tab. What must outlive the redirect, which is no token, is in `sessionStorage` until then.
 */
import * as oauth from 'oauth4webapi';

const { provider, clientId, scope, audience, base, userClaim, now } = JSON.parse(
  document.querySelector('meta[name="sign-in"]').content,
);

const BEGUN = 'sign-in';
const TIMEOUT_MS = 15_000;
/** A token is renewed so long before its end, or after four fifths of its time. */
const RENEW_BEFORE_S = 60;
const RETRY_MS = 10_000;
/** The service refuses a token from so far ahead. */
const AHEAD_S = 60;

/** The clock of the browser may be wrong: times are judged by that of the service. */
const skew = now - Math.floor(Date.now() / 1000);
const serviceTime = () => Date.now() / 1000 + skew;

const client = { client_id: clientId, [oauth.clockSkew]: skew, [oauth.clockTolerance]: AHEAD_S };
/** For a provider of plain http, which the configuration permits for development. */
const requestOptions = () => ({
  [oauth.allowInsecureRequests]: true,
  signal: AbortSignal.timeout(TIMEOUT_MS),
  additionalParameters: audience ? { audience, resource: audience } : {},
});

const redirectUri = base ? `${base}/api/docs` : location.origin + location.pathname.replace(/\/(index\.html)?$/, '');

const AWAY =
  "The sign-in of your organisation does not answer. Please try again in a minute. If it persists, its operators must permit this page's address.";
const WRONG_CLIENT = (error) =>
  `The sign-in of your organisation does not know this page as a client (${error}). Please tell the operators of this service.`;

/** A sentence for the person. */
class Problem extends Error {}

function sentenceOf(error) {
  const { code, error: oauthError } = error;
  if (error instanceof Problem) return error.message;
  if (oauthError === 'access_denied') return 'You were not signed in: the sign-in was cancelled or denied.';
  if (/^(invalid|unauthorized)_client$/.test(oauthError)) return WRONG_CLIENT(oauthError);
  if (code === oauth.WWW_AUTHENTICATE_CHALLENGE) return WRONG_CLIENT('invalid_client');
  if (oauthError) return `You were not signed in: the sign-in of your organisation answered ${oauthError}.`;
  if (code === oauth.JWT_TIMESTAMP_CHECK)
    return 'You were not signed in: the clock of the sign-in of your organisation is wrong. Please tell its operators.';
  // No answer, none in time, or one that the provider does not permit this page to read.
  if (code === undefined || error instanceof DOMException || error.cause instanceof DOMException) return AWAY;
  return `You were not signed in: the sign-in of your organisation answered something unexpected (${code}).`;
}

/** The answer of the provider in the address, which is removed from the address bar and the history. */
function takeAnswer() {
  const address = new URL(location.href);
  const { searchParams } = address;
  if (!searchParams.has('state') || !(searchParams.has('code') || searchParams.has('error'))) return undefined;
  const begun = JSON.parse(sessionStorage.getItem(BEGUN));
  sessionStorage.removeItem(BEGUN);
  // Back to the operation that was open.
  history.replaceState(null, '', location.pathname + (begun?.fragment ?? ''));
  return { address, begun };
}

const answer = takeAnswer();

let refreshToken;
let renewal;
/** The newest token of this tab. */
let token;
let tell = () => undefined;

function keep({ access_token: accessToken, refresh_token: next, expires_in: seconds }) {
  token = accessToken;
  refreshToken = next ?? refreshToken;
  tell({ token });
  if (!refreshToken || !(seconds > 0)) return;
  const endsAt = performance.now() + seconds * 1000;
  renewLater(Math.max(seconds - RENEW_BEFORE_S, seconds * 0.8) * 1000, endsAt);
}

function renewLater(ms, endsAt) {
  clearTimeout(renewal);
  // A browser would treat a longer delay as 0.
  renewal = setTimeout(() => renew(endsAt), Math.min(ms, 2 ** 31 - 1));
}

/** Until it ends, the token is used, so a renewal that fails is only repeated. A provider that refuses it ends that. */
async function renew(endsAt) {
  const used = refreshToken;
  if (!used) return;
  try {
    const response = await oauth.refreshTokenGrantRequest(provider, client, oauth.None(), used, requestOptions());
    const result = await oauth.processRefreshTokenResponse(provider, client, response);
    if (used === refreshToken) keep(result);
  } catch (error) {
    if (used !== refreshToken || error.error || performance.now() + RETRY_MS > endsAt) return;
    renewLater(RETRY_MS, endsAt);
  }
}

async function exchange({ address, begun }) {
  if (!begun)
    throw new Problem('You were not signed in: this sign-in was not begun in this tab. Please sign in again.');
  if (!provider) throw new Problem(AWAY);
  const parameters = oauth.validateAuthResponse(provider, client, address, begun.state);
  const response = await oauth.authorizationCodeGrantRequest(
    provider,
    client,
    oauth.None(),
    parameters,
    begun.redirectUri,
    begun.verifier,
    requestOptions(),
  );
  return oauth.processAuthorizationCodeResponse(provider, client, response, { expectedNonce: begun.nonce });
}

async function authorizationUrl() {
  if (!isSecureContext)
    throw new Problem('Signing in with your organisation works only if this page is opened by https.');
  if (!provider) throw new Problem(`${AWAY} Then reload this page.`);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const scopes = scope.split(' ');
  // Only an answer with an ID token has a nonce.
  const nonce = scopes.includes('openid') ? oauth.generateRandomNonce() : undefined;
  const url = new URL(provider.authorization_endpoint);
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
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
  sessionStorage.setItem(
    BEGUN,
    JSON.stringify({
      verifier,
      state,
      nonce,
      redirectUri,
      fragment: location.hash.startsWith('#/') ? location.hash : '',
    }),
  );
  return url;
}

/** Begins at once, while the rest of the page still loads. */
const exchanged = answer && exchange(answer);
// What went wrong is told when the page can show it.
exchanged?.catch(() => undefined);

globalThis.organisation = {
  /** Goes to the identity provider. */
  begin() {
    authorizationUrl().then(
      (url) => location.assign(url),
      (error) => tell({ problem: sentenceOf(error) }),
    );
  },

  /** Completes what the address answers, if it does. @param listener is told each token, and what went wrong */
  finish(listener) {
    tell = listener;
    exchanged?.then(keep, (error) => tell({ problem: sentenceOf(error) }));
  },

  /** Whether a sign-in is being completed. */
  isUnderWay: answer !== undefined,

  signOut() {
    clearTimeout(renewal);
    refreshToken = token = undefined;
  },

  /** Why the service refuses the token of this tab; undefined for any other token, and for one that has expired. */
  whyRefused(refused, claims) {
    if (refused !== token || claims.exp <= serviceTime()) return undefined;
    if (claims.iat > serviceTime() + AHEAD_S || claims.nbf > serviceTime() + AHEAD_S)
      return 'The clock of the sign-in of your organisation is ahead of that of this service. Please tell the operators.';
    const name = claims[userClaim] ?? claims.sub ?? 'somebody';
    return (
      `Your organisation has signed you in as ${name}, but this service does not know you: its directory has no active user with ` +
      'this id, or it does not accept the tokens of this sign-in. Please ask an administrator.'
    );
  },
};
