import type { JsonWebKey } from 'node:crypto';

const MAX_BYTES = 512 * 1024;
const NO_KEY_SET = 'the JWKS endpoint did not answer a key set';

/**
 * Fetches a JSON Web Key Set (RFC 7517 section 5). The response may be anything, of any length. Redirects are refused,
 * because they could lead to an address that the configuration does not permit, and the whole response must arrive in
 * time.
 *
 * @returns the members of the set that are keys, of whatever kind
 */
export async function fetchKeySet(url: string, timeoutMs: number): Promise<JsonWebKey[]> {
  const response = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw new Error(`the JWKS endpoint answered ${response.status}`);
  }
  const keySet: unknown = JSON.parse(await readText(response.body));
  const keys = typeof keySet === 'object' && keySet !== null && 'keys' in keySet ? keySet.keys : undefined;
  if (!Array.isArray(keys)) throw new Error(NO_KEY_SET);
  const published = keys.filter(isKey);
  // An empty set withdraws all keys. A list without a single key does not: the endpoint is broken.
  if (keys.length > 0 && published.length === 0) throw new Error(NO_KEY_SET);
  return published;
}

/** Whether a member of a set has what every key must have (RFC 7517 section 4.1). */
function isKey(member: unknown): member is JsonWebKey {
  return typeof member === 'object' && member !== null && 'kty' in member && typeof member.kty === 'string';
}

/** The limit applies after decompression. */
async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error('the JWKS endpoint answered too much');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
