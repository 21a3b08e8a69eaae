import type { Me } from '@user-administration/client';
import { Store } from '../ui/store.ts';

/** Why nobody is signed in. */
export type SignedOutBecause = 'never' | 'signed_out' | 'refused' | 'expired' | 'no_administrator';

export type SessionState =
  | { kind: 'signed_out'; because: SignedOutBecause }
  /** There is a token, and the service has not yet said whose it is. */
  | { kind: 'checking' }
  /** The service could not be asked. */
  | { kind: 'unreachable'; error: unknown; retry: () => void }
  | { kind: 'signed_in'; me: Me };

/** Who uses the page. */
export const session = new Store<SessionState>({ kind: 'signed_out', because: 'never' });

/** The access token, in the memory of this tab and nowhere else. */
let token: string | undefined;

export const currentToken = (): string | undefined => token;

/** Begins with a new token. A renewed one of the same person changes nothing that one sees. */
export function useToken(next: string, isRenewed = false): void {
  token = next;
  if (!isRenewed) session.set({ kind: 'checking' });
}

export function endSession(because: SignedOutBecause): void {
  token = undefined;
  session.set({ kind: 'signed_out', because });
}

/** The service has refused a token: only the present one ends the session, and not one that it has replaced. */
export function tokenRefused(refused: string): void {
  if (refused !== token) return;
  endSession(hasExpired(refused) ? 'expired' : 'refused');
}

function hasExpired(jwt: string): boolean {
  try {
    const { exp } = JSON.parse(atob((jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))) as {
      exp?: number;
    };
    return typeof exp === 'number' && exp * 1000 <= Date.now();
  } catch {
    return false;
  }
}

/** The token of the demo's printed address, `#token=...`. It is removed from the address and from the history. */
export function takeTokenOfAddress(): string | undefined {
  const found = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (found) history.replaceState(null, '', location.pathname);
  return found;
}
