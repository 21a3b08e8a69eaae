import type { Me } from '@user-administration/client';
import { keptInTab } from '../storage.ts';
import { claimsOf } from '../sign-in/claims.ts';
import type { SignInProblem } from '../sign-in/problem.ts';
import { tellTabs, type TokenSource } from '../sign-in/tabs.ts';
import { Store } from '../ui/store.ts';
import { openId } from './open-id.ts';

/** Why nobody is signed in. */
export type SignedOutBecause = 'never' | 'signed_out' | 'refused' | 'expired' | 'no_administrator';

/** What somebody should know about signing in at the identity provider, and who is signed in without being permitted to look. */
interface Told {
  problem?: SignInProblem;
  who?: Me;
}

export interface SignedIn {
  kind: 'signed_in';
  me: Me;
  /** The dialog to sign in again is over the page: the session has ended, or somebody wants to before it does. */
  again?: 'ended' | 'early';
  problem?: SignInProblem;
  /** What kept the page from signing in by the token that was given in the dialog. */
  error?: unknown;
  isRefused?: boolean;
}

export type SessionState =
  | ({ kind: 'signed_out'; because: SignedOutBecause } & Told)
  /** There may be a token, and the service has not yet said whose it is. */
  | { kind: 'checking' }
  /** The service could not be asked. */
  | { kind: 'unreachable'; error: unknown; retry: () => void }
  | SignedIn;

/** Who uses the page. */
export const session = new Store<SessionState>({ kind: 'checking' });

/** The access token. One of the provider is in the memory of this tab alone; one that was pasted is kept until the tab is closed. */
let token: string | undefined;
let source: TokenSource = 'pasted';
/** Whose it is: a tab stays with the person that it shows. */
let subject: unknown;
const PASTED = 'token';
/** The clock of the browser may be wrong: times are judged by that of the service, when the first byte of the page had come from it. */
const SKEW_S = Number(document.documentElement.dataset.now) - arrivedAt() / 1000 || 0;
/** As exactly as the clock of the service is known: what it refuses so near to the end has ended. */
const INEXACT_S = 15;

/** The script of a slow network comes long after the page. */
function arrivedAt(): number {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return page ? performance.timeOrigin + page.responseStart : Date.now();
}

export const currentToken = (): { token: string; source: TokenSource } | undefined =>
  token === undefined ? undefined : { token, source };

export const pastedToken = (): string | undefined => keptInTab.get(PASTED);

/** Seconds until a token ends; undefined if it has no `exp`. */
export function secondsLeft(jwt = token): number | undefined {
  const end = jwt === undefined ? NaN : Number(claimsOf(jwt).exp);
  return Number.isFinite(end) ? end - Date.now() / 1000 - SKEW_S : undefined;
}

export const isOfSamePerson = (jwt: string): boolean => claimsOf(jwt).sub === subject;

export function useToken(next: string, from: TokenSource): void {
  token = next;
  source = from;
  subject = claimsOf(next).sub;
  if (from === 'pasted') keptInTab.set(PASTED, next);
  else keptInTab.remove(PASTED);
}

function forgetToken(): void {
  token = undefined;
  keptInTab.remove(PASTED);
}

export function endSession(because: SignedOutBecause, told: Told = {}): void {
  forgetToken();
  if (because !== 'never') void openId?.signOut();
  session.set({ kind: 'signed_out', because, ...told });
}

/** Signs this tab and the others out, and ends the session at the provider. */
export function signOut(): void {
  tellTabs({ kind: 'signed_out' });
  void openId?.signOut(true);
  endSession('signed_out');
}

/** The service has refused a token: only the present one ends the session, and not one that it has replaced. */
export function tokenRefused(refused: string): void {
  if (refused !== token) return;
  const state = session.get();
  const hasExpired = (secondsLeft(refused) ?? Infinity) <= INEXACT_S;
  const problem = openId?.whyRefused(refused);
  if (state.kind === 'signed_in' && (hasExpired || state.again))
    askAgain('ended', { problem, isRefused: state.again !== undefined });
  else endSession(hasExpired ? 'expired' : 'refused', { problem });
}

/** Asks somebody to sign in again, over the page: what was typed stays. */
export function askAgain(again: 'ended' | 'early', told: Pick<SignedIn, 'problem' | 'error' | 'isRefused'> = {}): void {
  const state = session.get();
  if (state.kind !== 'signed_in') return;
  if (again === 'ended') forgetToken();
  session.set({ kind: 'signed_in', me: state.me, again, ...told });
}

/** Waits while the session has ended. @returns whether the same person has signed in again */
export function signedInAgain(): Promise<boolean> {
  const before = session.get();
  if (before.kind !== 'signed_in' || before.again !== 'ended') return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = session.subscribe(() => {
      const state = session.get();
      if (state.kind === 'signed_in' && state.again === 'ended') return;
      stop();
      resolve(state.kind === 'signed_in' && state.me.id === before.me.id);
    });
  });
}

/** The token of the demo's printed address, `#token=...`. It is removed from the address and from the history. */
export function takeTokenOfAddress(): string | undefined {
  const found = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (found) history.replaceState(null, '', location.pathname);
  return found;
}
