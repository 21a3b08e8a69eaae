export function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** `fetch` refuses such an address, and a log would reveal the password. */
export function holdsCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}

/**
 * Whether the address protects its answers from manipulation on the way, so that nobody can add a key: TLS (which RFC
 * 8414 section 2 requires for a `jwks_uri`), or an address of this machine.
 */
export function isTamperProof(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
