import { keptInTab } from '../storage.ts';

/** `none`: without a word to the person. */
export type Prompt = 'none' | 'select_account' | 'consent';

/** What must outlive the way to the provider and back, which is no token. */
export interface Begun {
  verifier: string;
  state: string;
  nonce?: string;
  redirectUri: string;
  prompt?: Prompt;
  /** Where one was. */
  fragment: string;
}

export interface Answer {
  address: URL;
  /** null if the sign-in was not begun in this tab. */
  begun: Begun | null;
}

const BEGUN = 'sign-in';

export function rememberBegun(begun: Begun): void {
  keptInTab.set(BEGUN, JSON.stringify(begun));
}

/** The answer of the provider in the address, which is removed from the address bar and the history; and back to where one was. */
export function takeAnswer(): Answer | undefined {
  const address = new URL(location.href);
  const { searchParams } = address;
  if (!searchParams.has('state') || !(searchParams.has('code') || searchParams.has('error'))) return undefined;
  const begun = JSON.parse(keptInTab.get(BEGUN) ?? 'null') as Begun | null;
  keptInTab.remove(BEGUN);
  history.replaceState(null, '', location.pathname + (begun?.fragment ?? ''));
  return { address, begun };
}

/** The `state` with which the provider leads back from signing out. */
export const SIGNED_OUT = 'signed-out';

/** Whether the provider has led back from signing out. */
export function takeSignedOut(): boolean {
  if (new URL(location.href).searchParams.get('state') !== SIGNED_OUT) return false;
  history.replaceState(null, '', location.pathname);
  return true;
}
