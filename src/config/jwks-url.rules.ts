/** `fetch` refuses such an address, and a log would tell the password. */
export function holdsCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}

/**
 * Whether nobody on the way can alter what this address answers, and so publish a key of their own: TLS (RFC 8414 section 2
 * demands it of a `jwks_uri`), or a way that does not leave this machine.
 */
export function isTamperProof(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
