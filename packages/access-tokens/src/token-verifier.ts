import type { KeyObject } from 'node:crypto';
import { type Algorithm, JsonWebTokenError, type JwtHeader, verify } from 'jsonwebtoken';
import type { TokenOptions } from './token-options';
import {
  type AccessClaims,
  checkAccessHeader,
  readAccessClaims,
  refuseOtherForms,
  TokenRefusedError,
} from './access-token.rules';
import { JwksKeys } from './jwks-keys';
import { ASYMMETRIC_ALGORITHMS, configuredKeys, signerOf } from './verification-keys';

/** Verifies access tokens, in headers and in bodies, with the configured keys or key set. */
export class TokenVerifier {
  /** The rules that the library enforces. */
  readonly options: ReturnType<typeof libraryOptions>;
  private readonly config: TokenOptions;
  private readonly findKey: (header: JwtHeader, token: string) => Promise<KeyObject | undefined>;
  private readonly keySet: JwksKeys | undefined;

  constructor(config: TokenOptions) {
    this.config = config;
    if (config.key.kind === 'jwks') {
      const keys = new JwksKeys(config.key.uri);
      this.keySet = keys;
      this.findKey = async (header, token) =>
        signerOf(token, header.alg, [await keys.get(header, () => issuedAt(token))]);
      this.options = libraryOptions(ASYMMETRIC_ALGORITHMS, config);
    } else {
      const keys = configuredKeys(config.key);
      this.findKey = (header, token) => Promise.resolve(signerOf(token, header.alg, keys));
      this.options = libraryOptions([...new Set(keys.flatMap(({ algorithms }) => algorithms))], config);
    }
  }

  get keySetFailures(): number {
    return this.keySet?.failures ?? 0;
  }

  /**
   * Finds the key for a token after its form and header have been checked. No part of the token is trusted yet.
   *
   * @throws KeysAwayError when the key cannot be fetched
   */
  async keyFor(token: string): Promise<KeyObject> {
    refuseOtherForms(token);
    const header = readHeader(token);
    checkAccessHeader(header);
    const key = await this.findKey(header, token);
    if (!key) throw new TokenRefusedError('invalid algorithm');
    return key;
  }

  /** @throws TokenRefusedError when a verified payload is not that of an access token */
  read(payload: unknown): AccessClaims {
    return readAccessClaims(payload, this.config);
  }

  /**
   * @throws TokenRefusedError when the token is not valid
   * @throws KeysAwayError when the key cannot be fetched
   */
  async verify(token: string): Promise<AccessClaims> {
    const key = await this.keyFor(token);
    try {
      return this.read(verify(token, key, this.options));
    } catch (error) {
      throw asRefusal(error);
    }
  }
}

/** We check `nbf`, because the library has one tolerance for `nbf` and `exp`. */
function libraryOptions(algorithms: Algorithm[], { issuers, audiences }: TokenOptions) {
  return { algorithms, issuer: someOrNone(issuers), audience: someOrNone(audiences), ignoreNotBefore: true as const };
}

/** The library treats an empty list as a list that matches nothing. */
function someOrNone(list: readonly string[]): [string, ...string[]] | undefined {
  const [first, ...others] = list;
  return first === undefined ? undefined : [first, ...others];
}

/**
 * RFC 7519 section 7.2: the header is a JSON object. The library accepts other JSON as well. It checks the other parts
 * when it verifies, and parsing all of the token twice would be a large part of the cost of a request.
 */
function readHeader(token: string): JwtHeader {
  const header = readPart(token, 0);
  if (header === undefined) throw new TokenRefusedError('the token is malformed');
  return header as unknown as JwtHeader;
}

/** The age that an unverified token claims. */
function issuedAt(token: string): unknown {
  return readPart(token, 1)?.iat;
}

/**
 * A part of a token that is a JSON object. It is decoded byte by byte as the library decodes headers, so that both see
 * the same. A parser's error would quote the token.
 */
function readPart(token: string, index: 0 | 1): Record<string, unknown> | undefined {
  try {
    const part: unknown = JSON.parse(Buffer.from(token.split('.', 2)[index] ?? '', 'base64url').toString('latin1'));
    const isObject = typeof part === 'object' && part !== null && !Array.isArray(part);
    return isObject ? (part as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The refusal for a failed verification, in words that never quote the token. */
export function asRefusal(error: unknown): TokenRefusedError {
  if (error instanceof TokenRefusedError) return error;
  return new TokenRefusedError(error instanceof JsonWebTokenError ? error.message : 'the token is malformed');
}
