import * as oauth from 'oauth4webapi';

/** Why signing in failed, or a token is refused; the page has a sentence for each. `name`, `code` fill it. */
export interface SignInProblem {
  kind:
    | 'cancelled'
    | 'wrong_client'
    | 'provider_clock'
    | 'clock_ahead'
    | 'away'
    | 'not_begun_here'
    | 'insecure'
    /** The browser blocks site data, so nothing outlives the way to the provider. */
    | 'no_storage'
    | 'no_window'
    /** Another tab has signed in by this answer. */
    | 'handed_over'
    | 'unexpected'
    | 'unknown_user';
  name?: string;
  code?: string;
}

/** A problem that this page finds itself. */
export class SignInError extends Error {
  constructor(readonly kind: SignInProblem['kind']) {
    super(kind);
  }
}

/** What an error means for the person. */
export function problemOf(thrown: unknown): SignInProblem {
  if (thrown instanceof SignInError) return { kind: thrown.kind };
  // A browser reports only that there was no answer, or none that this page may read.
  if (!(thrown instanceof Error)) return { kind: 'away' };
  const { code, error, cause } = thrown as Error & { code?: string; error?: string };
  if (error === 'access_denied') return { kind: 'cancelled' };
  if (error === 'invalid_client' || error === 'unauthorized_client') return { kind: 'wrong_client', code: error };
  if (code === oauth.WWW_AUTHENTICATE_CHALLENGE) return { kind: 'wrong_client', code: 'invalid_client' };
  if (error) return { kind: 'unexpected', code: error };
  if (code === oauth.JWT_TIMESTAMP_CHECK) return { kind: 'provider_clock' };
  if (code === undefined || thrown instanceof DOMException || cause instanceof DOMException) return { kind: 'away' };
  return { kind: 'unexpected', code };
}
