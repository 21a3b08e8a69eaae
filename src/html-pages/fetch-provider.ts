/** The metadata of an identity provider that the page uses, by its names in OpenID Connect Discovery 1.0 section 3. */
export interface ProviderMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  revocation_endpoint?: string;
  end_session_endpoint?: string;
  authorization_response_iss_parameter_supported?: boolean;
  id_token_signing_alg_values_supported?: string[];
}

const MAX_BYTES = 512 * 1024;

/** Where an issuer publishes its metadata. */
export function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/**
 * Discovers an identity provider (OpenID Connect Discovery 1.0 section 4). The answer may be anything, of any length.
 * Redirects are refused: the metadata are those of the issuer that the configuration names.
 */
export async function fetchProvider(issuer: string, timeoutMs: number): Promise<ProviderMetadata> {
  const response = await fetch(discoveryUrl(issuer), {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await readText(response);
  if (response.status !== 200) throw new Error(`it answered ${response.status}`);
  return readMetadata(issuer, JSON.parse(text));
}

/** The limit applies after decompression. */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error('it answered too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function readMetadata(issuer: string, answer: unknown): ProviderMetadata {
  const metadata = (typeof answer === 'object' ? answer : null) as Record<string, unknown> | null;
  if (metadata?.issuer !== issuer) throw new Error(`it calls itself ${JSON.stringify(metadata?.issuer)}`);
  const algorithms = metadata.id_token_signing_alg_values_supported;
  const { revocation_endpoint: revocation, end_session_endpoint: endSession } = metadata;
  return {
    issuer,
    authorization_endpoint: readEndpoint(metadata, 'authorization_endpoint'),
    token_endpoint: readEndpoint(metadata, 'token_endpoint'),
    // These are not needed, so one that is wrong does no harm.
    ...(isWebAddress(revocation) && { revocation_endpoint: revocation }),
    ...(isWebAddress(endSession) && { end_session_endpoint: endSession }),
    authorization_response_iss_parameter_supported: metadata.authorization_response_iss_parameter_supported === true,
    ...(Array.isArray(algorithms) && { id_token_signing_alg_values_supported: algorithms.map(String) }),
  };
}

/** A browser goes there, so it can be no `javascript:`. */
function readEndpoint(metadata: Record<string, unknown>, name: 'authorization_endpoint' | 'token_endpoint'): string {
  const value = metadata[name];
  if (isWebAddress(value)) return value;
  throw new Error(`its ${name} is no web address`);
}

function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
