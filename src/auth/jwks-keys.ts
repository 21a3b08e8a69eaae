import { Logger } from '@nestjs/common';
import type { JwtHeader } from 'jsonwebtoken';
import { ServiceError } from '../contract/errors';
import { TokenRefusedError } from './access-token.rules';
import { fetchKeySet } from './fetch-key-set';
import { kidOf, type PublishedKey, readPublishedKey } from './published-keys';
import { ASYMMETRIC_ALGORITHMS, type KeyWithAlgorithms } from './verification-keys';

export interface JwksTiming {
  /** Keys older than this are fetched again without making anybody wait. */
  refreshMs: number;
  /** Keys older than this are not used before they have been fetched again, so that a withdrawn key is refused at last. */
  maxAgeMs: number;
  /** The least time between two fetches, however many unknown keys callers name. */
  cooldownMs: number;
  /** The same after a fetch that failed, so that an endpoint that works again is soon noticed. */
  retryMs: number;
  /** How long the endpoint may take to answer. */
  timeoutMs: number;
}

const TIMING: JwksTiming = {
  refreshMs: 5 * 60_000,
  maxAgeMs: 10 * 60_000,
  cooldownMs: 30_000,
  retryMs: 1_000,
  timeoutMs: 3_000,
};

/** How far the clock of an identity provider may be behind. */
const CLOCK_TOLERANCE_SECONDS = 60;

/**
 * The keys of a JSON Web Key Set (RFC 7517) at a URL, remembered, and fetched again when they are old or a token names a key that is
 * not among them. While the endpoint is down, known keys go on working, and tokens by others are answered 503 at once.
 */
export class JwksKeys {
  /** Fetches that failed, since the start. */
  failures = 0;
  private readonly logger = new Logger(JwksKeys.name);
  private keys: readonly PublishedKey[] = [];
  /** What the set has keys for, including those that cannot be used. */
  private kids: ReadonlySet<string | undefined> = new Set();
  private fetchedAt = -Infinity;
  /** The same moment by the time of day, in seconds. */
  private fetchedAtTime = -Infinity;
  private triedAt = -Infinity;
  private fetching: Promise<void> | undefined;
  /** Why the last fetch failed, if it did. */
  private failure: unknown;

  /** @param clock milliseconds that pass evenly, whatever happens to the time of day */
  constructor(
    private readonly uri: string,
    private readonly timing = TIMING,
    private readonly clock = () => performance.now(),
  ) {}

  /**
   * The key for a token with this header.
   *
   * @param issuedAt what the token says of its age. It is not verified yet, and decides only how the caller is refused.
   * @throws TokenRefusedError when the endpoint does not have the key
   * @throws ServiceError `service.unavailable` when the endpoint cannot be asked, or may have the key by now and cannot be asked yet
   */
  async get(header: JwtHeader, issuedAt: () => unknown): Promise<KeyWithAlgorithms> {
    refuseHopeless(header);
    const askedAt = this.clock();
    const known = this.find(header);
    const age = askedAt - this.fetchedAt;
    if (known && age <= this.timing.refreshMs) return known;
    const refreshed = this.refresh();
    if (known && age <= this.timing.maxAgeMs) return known;
    // While the endpoint fails, nobody waits for each try.
    if (!this.failure) await refreshed;
    const key = this.find(header);
    if (key) return key;
    if (this.failure) throw new ServiceError('service.unavailable', {}, { cause: this.failure });
    if (this.fetchedAt < askedAt && this.mayBeNewer(header, issuedAt)) throw this.notYet();
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

  /** Whether a key can have been published since the last fetch: not if the token is older, because keys are published before they are used. */
  private mayBeNewer(header: JwtHeader, issuedAt: () => unknown): boolean {
    const kid = kidOf(header);
    if (kid === undefined || this.kids.has(kid)) return false;
    const time = issuedAt();
    return typeof time !== 'number' || time + CLOCK_TOLERANCE_SECONDS >= this.fetchedAtTime;
  }

  private notYet(): ServiceError {
    const seconds = Math.max(1, Math.ceil((this.triedAt + this.timing.cooldownMs - this.clock()) / 1_000));
    const cause = new TokenRefusedError(
      'the token names a key that was not published when the key set was last fetched',
    );
    return new ServiceError('service.unavailable', { args: { seconds } }, { cause });
  }

  /** One fetch at a time, for everyone who waits; none within the cool-down after the last. */
  private refresh(): Promise<void> {
    const pause = this.failure ? this.timing.retryMs : this.timing.cooldownMs;
    if (!this.fetching && this.clock() - this.triedAt >= pause) {
      this.fetching = this.fetch().finally(() => (this.fetching = undefined));
    }
    return this.fetching ?? Promise.resolve();
  }

  private async fetch(): Promise<void> {
    const startedAt = this.clock();
    const startedAtTime = Date.now() / 1_000;
    try {
      const published = await fetchKeySet(this.uri, this.timing.timeoutMs);
      this.keys = published.flatMap((jwk) => readPublishedKey(jwk) ?? []);
      this.kids = new Set(published.map(kidOf));
      this.fetchedAt = startedAt;
      this.fetchedAtTime = startedAtTime;
      if (this.failure) this.logger.log('the key set can be fetched again');
      this.failure = undefined;
    } catch (error) {
      if (!this.failure) this.logger.warn(`the key set cannot be fetched: ${wordsOf(error)}`);
      this.failure = error;
      this.failures++;
    }
    this.triedAt = this.clock();
  }
}

/** `fetch` says only that it failed, and has the reason as its cause. */
function wordsOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return [message, cause?.message || cause?.code].filter(Boolean).join(': ');
}

/** Refuses what no published key could verify before it costs a fetch. */
function refuseHopeless(header: JwtHeader): void {
  const { alg, kid }: { alg: unknown; kid?: unknown } = header;
  if (!ASYMMETRIC_ALGORITHMS.some((algorithm) => algorithm === alg)) throw new TokenRefusedError('invalid algorithm');
  if (kid !== undefined && typeof kid !== 'string') throw new TokenRefusedError('kid is not a string');
}
