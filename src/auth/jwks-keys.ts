import { createPublicKey } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { JwtHeader } from 'jsonwebtoken';
import { JwksClient, JwksError, type SigningKey } from 'jwks-rsa';
import { isSupportedPublicKey } from '../config/public-key.rules';
import { ServiceError } from '../contract/errors';
import { TokenRefusedError } from './access-token.rules';
import { fetchKeySet } from './fetch-key-set';
import { algorithmsFor, ASYMMETRIC_ALGORITHMS, type KeyWithAlgorithms } from './verification-keys';

export interface JwksTiming {
  /** Keys older than this are fetched again, so that a withdrawn key is refused at last. */
  maxAgeMs: number;
  /** Between two fetches at least this passes, however many unknown `kid`s callers send. */
  cooldownMs: number;
  /** The same after a fetch that failed, so that an endpoint which is back is soon noticed. */
  retryMs: number;
  /** An endpoint that has not answered by then is taken for dead. */
  timeoutMs: number;
}

const TIMING: JwksTiming = { maxAgeMs: 10 * 60_000, cooldownMs: 30_000, retryMs: 1_000, timeoutMs: 3_000 };

interface PublishedKey extends KeyWithAlgorithms {
  kid: string | undefined;
}

/**
 * The keys of a JSON Web Key Set (RFC 7517) at a URL, remembered, fetched anew when they are old or a token names one that
 * is not known. While the endpoint is down, keys already known go on working; for others the answer is 503, at once.
 */
export class JwksKeys {
  private readonly logger = new Logger(JwksKeys.name);
  private readonly client: JwksClient;
  private keys: readonly PublishedKey[] = [];
  private fetchedAt = -Infinity;
  private triedAt = -Infinity;
  private fetching: Promise<void> | undefined;
  /** Why the last fetch failed, if it did. */
  private failure: unknown;

  /** @param clock milliseconds that pass evenly, whatever happens to the time of day */
  constructor(
    uri: string,
    private readonly timing = TIMING,
    private readonly clock = () => performance.now(),
  ) {
    const fetcher = (url: string) => fetchKeySet(url, timing.timeoutMs);
    this.client = new JwksClient({ jwksUri: uri, cache: false, rateLimit: false, fetcher });
  }

  /**
   * The key for a token with this header.
   *
   * @throws TokenRefusedError when the endpoint does not have the key
   * @throws ServiceError `service.unavailable` when the endpoint cannot be asked
   */
  async get(header: JwtHeader): Promise<KeyWithAlgorithms> {
    refuseHopeless(header);
    const isKnown = this.find(header) !== undefined;
    if (!isKnown || this.clock() - this.fetchedAt > this.timing.maxAgeMs) {
      const refreshed = this.refresh();
      // While the endpoint is down, nobody who brings a known key waits for each try to fail.
      if (!isKnown || !this.failure) await refreshed;
    }
    const key = this.find(header);
    if (key) return key;
    if (this.failure) throw new ServiceError('service.unavailable', {}, { cause: this.failure });
    throw new TokenRefusedError('the token names a key that is not published');
  }

  /**
   * A token that names no key can mean only the one key there is. Keys that share a `kid` are alternatives for different
   * algorithms (RFC 7517 section 4.5).
   */
  private find({ kid, alg }: JwtHeader): KeyWithAlgorithms | undefined {
    if (kid === undefined) return this.keys.length === 1 ? this.keys[0] : undefined;
    const named = this.keys.filter((key) => key.kid === kid);
    return named.find(({ algorithms }) => algorithms.some((algorithm) => algorithm === alg)) ?? named[0];
  }

  /** One fetch at a time, for all who wait; none within the cool-down after the last. */
  private refresh(): Promise<void> {
    const pause = this.failure ? this.timing.retryMs : this.timing.cooldownMs;
    if (!this.fetching && this.clock() - this.triedAt >= pause) {
      this.fetching = this.fetch().finally(() => (this.fetching = undefined));
    }
    return this.fetching ?? Promise.resolve();
  }

  private async fetch(): Promise<void> {
    const startedAt = this.clock();
    try {
      this.keys = (await this.client.getSigningKeys().catch(noneIfNone)).flatMap(usable);
      this.fetchedAt = startedAt;
      if (this.failure) this.logger.log('the key set can be fetched again');
      this.failure = undefined;
    } catch (error) {
      if (!this.failure) this.logger.warn(`the key set cannot be fetched: ${wordsOf(error)}`);
      this.failure = error;
    }
    this.triedAt = this.clock();
  }
}

/** An endpoint that publishes nothing to verify with has withdrawn what it published before: for the library, that is an error. */
function noneIfNone(error: unknown): SigningKey[] {
  if (error instanceof JwksError) return [];
  throw error;
}

/** `fetch` says only that it failed, and keeps the reason behind that. */
function wordsOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return [message, cause?.message || cause?.code].filter(Boolean).join(': ');
}

/** What no published key could verify is not worth a fetch. */
function refuseHopeless(header: JwtHeader): void {
  const { alg, kid }: { alg: unknown; kid?: unknown } = header;
  if (!ASYMMETRIC_ALGORITHMS.some((algorithm) => algorithm === alg)) throw new TokenRefusedError('invalid algorithm');
  if (kid !== undefined && typeof kid !== 'string') throw new TokenRefusedError('kid is not a string');
}

/** RFC 7517 section 4.4: a key that names its algorithm is good for that one alone. Weak and foreign keys are left out. */
function usable({ kid, alg, getPublicKey }: SigningKey): PublishedKey[] {
  const key = createPublicKey(getPublicKey());
  if (!isSupportedPublicKey(key)) return [];
  const algorithms = algorithmsFor(key).filter((algorithm) => alg === undefined || alg === algorithm);
  return algorithms.length === 0 ? [] : [{ kid, key, algorithms }];
}
