import { useExternal } from '../ui/store.ts';

/**
 * Where one is, in the fragment of the address: `#/people?search=ada&status=inactive`, `#/people/ada`. Ids are percent-encoded, so
 * they can hold slashes.
 */
export interface Address {
  path: string[];
  query: URLSearchParams;
}

export function parseAddress(fragment: string): Address {
  const [path = '', query = ''] = fragment.replace(/^#?\/?/, '').split(/\?(.*)/s);
  return { path: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

/** What somebody typed into the address bar can be anything. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The fragment for a link. Empty values of the query are left out; a list becomes a repeated parameter. */
export function href(
  path: readonly string[],
  query: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of typeof value === 'string' ? [value] : (value ?? [])) if (each) search.append(name, each);
  }
  return `#/${path.map(encodeURIComponent).join('/')}${search.size > 0 ? `?${search}` : ''}`;
}

export function goTo(fragment: string): void {
  location.hash = fragment;
}

/** Changes the address without another step in the history: while somebody types. */
export function replaceAddress(fragment: string): void {
  history.replaceState(history.state, '', fragment);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

export function useAddress(): Address {
  return parseAddress(useExternal(subscribe, () => location.hash));
}
