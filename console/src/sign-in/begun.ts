/** What must outlive the way to the provider and back, which is no token. */
export interface Begun {
  verifier: string;
  state: string;
  nonce?: string;
  redirectUri: string;
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
  sessionStorage.setItem(BEGUN, JSON.stringify(begun));
}

/** The answer of the provider in the address, which is removed from the address bar and the history; and back to where one was. */
export function takeAnswer(): Answer | undefined {
  const address = new URL(location.href);
  const { searchParams } = address;
  if (!searchParams.has('state') || !(searchParams.has('code') || searchParams.has('error'))) return undefined;
  const begun = JSON.parse(sessionStorage.getItem(BEGUN) ?? 'null') as Begun | null;
  sessionStorage.removeItem(BEGUN);
  history.replaceState(null, '', location.pathname + (begun?.fragment ?? ''));
  return { address, begun };
}
