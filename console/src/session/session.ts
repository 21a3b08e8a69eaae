import type { Me } from '@user-administration/client';
import { claimsOf } from '../sign-in/claims.ts';
import type { SignInProblem } from '../sign-in/problem.ts';
import { Store } from '../ui/store.ts';
import { openId } from './open-id.ts';

/** Why nobody is signed in. */
export type SignedOutBecause = 'never' | 'signed_out' | 'refused' | 'expired' | 'no_administrator';

export type SessionState =
  | { kind: 'signed_out'; because: SignedOutBecause; problem?: SignInProblem }
  /** There is a token, and the service has not yet said whose it is. */
  | { kind: 'checking' }
  /** The service could not be asked. */
  | { kind: 'unreachable'; error: unknown; retry: () => void }
  | { kind: 'signed_in'; me: Me };

/** Who uses the page. */
export const session = new Store<SessionState>(
  openId?.isUnderWay ? { kind: 'checking' } : { kind: 'signed_out', because: 'never' },
);

/** The access token, in the memory of this tab and nowhere else. */
let token: string | undefined;

export const currentToken = (): string | undefined => token;

/** Begins with a new token. A renewed one of the same person changes nothing that one sees. */
export function useToken(next: string, isRenewed = false): void {
  token = next;
  if (!isRenewed) session.set({ kind: 'checking' });
}

/** @param problem what the person must know about signing in at the identity provider */
export function endSession(because: SignedOutBecause, problem?: SignInProblem): void {
  token = undefined;
  void openId?.signOut();
  session.set({ kind: 'signed_out', because, problem });
}

/** The service has refused a token: only the present one ends the session, and not one that it has replaced. */
export function tokenRefused(refused: string): void {
  if (refused !== token) return;
  endSession(hasExpired(refused) ? 'expired' : 'refused', openId?.whyRefused(refused));
}

const hasExpired = (jwt: string): boolean => Number(claimsOf(jwt).exp) * 1000 <= Date.now();

/** The token of the demo's printed address, `#token=...`. It is removed from the address and from the history. */
export function takeTokenOfAddress(): string | undefined {
  const found = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (found) history.replaceState(null, '', location.pathname);
  return found;
}
