import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Algorithm, JsonWebTokenError, type JwtHeader, verify } from 'jsonwebtoken';
import { CONFIG, type Config } from '../config/config';
import {
  type AccessClaims,
  checkAccessHeader,
  readAccessClaims,
  refuseTooLong,
  TokenRefusedError,
} from './access-token.rules';
import { JwksKeys } from './jwks-keys';
import { ASYMMETRIC_ALGORITHMS, configuredKey, type KeyWithAlgorithms } from './verification-keys';

/** Verifies access tokens, wherever in a request they stand, by the one key or key set that is configured. */
@Injectable()
export class AccessTokens {
  /** What the library enforces, besides the rules that it leaves to us. */
  readonly options: { algorithms: Algorithm[]; issuer?: string; audience?: string };
  private readonly findKey: (header: JwtHeader) => Promise<KeyWithAlgorithms>;

  constructor(@Inject(CONFIG) config: Config) {
    const { key, issuer, audience } = config.accessTokens;
    if (key.kind === 'jwks') {
      const keys = new JwksKeys(key.uri);
      this.findKey = (header) => keys.get(header);
      this.options = { algorithms: ASYMMETRIC_ALGORITHMS, issuer, audience };
    } else {
      const only = configuredKey(key);
      this.findKey = () => Promise.resolve(only);
      this.options = { algorithms: only.algorithms, issuer, audience };
    }
  }

  /**
   * The key for a token, once its form and header have passed. Nothing of the token is trusted yet.
   *
   * @throws ServiceError `service.unavailable` when the key cannot be fetched
   */
  async keyFor(token: string): Promise<KeyObject> {
    refuseTooLong(token);
    const header = readHeader(token);
    checkAccessHeader(header);
    const { key, algorithms } = await this.findKey(header);
    if (!algorithms.some((algorithm) => algorithm === header.alg)) throw new TokenRefusedError('invalid algorithm');
    return key;
  }

  /** @throws TokenRefusedError when a verified payload is not that of an access token */
  read(payload: unknown): AccessClaims {
    return readAccessClaims(payload);
  }

  /**
   * @throws TokenRefusedError when the token is not valid
   * @throws ServiceError `service.unavailable` when the key cannot be fetched
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

/**
 * RFC 7519 section 7.2: the header is a JSON object. The library takes other JSON for one, too; the rest of the token it judges
 * itself when it verifies, and to decode all of it twice would be a good part of the cost of a request.
 */
function readHeader(token: string): JwtHeader {
  const header = parsed(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url'));
  if (typeof header !== 'object' || header === null || Array.isArray(header)) {
    throw new TokenRefusedError('the token is malformed');
  }
  return header as JwtHeader;
}

/** Read byte by byte, as the library reads it, so that both see the same header. What the parser says quotes the token. */
function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString('latin1'));
  } catch {
    return undefined;
  }
}

/** The refusal that a failed verification amounts to, in words that never quote the token. */
export function asRefusal(error: unknown): TokenRefusedError {
  if (error instanceof TokenRefusedError) return error;
  return new TokenRefusedError(error instanceof JsonWebTokenError ? error.message : 'the token is malformed');
}
