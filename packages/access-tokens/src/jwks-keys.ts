import { Logger } from '@nestjs/common';
import type { JwtHeader } from 'jsonwebtoken';
import { TokenRefusedError } from './access-token.rules';
import { KeysAwayError } from './keys-away.error';
import { fetchKeySet } from './fetch-key-set';
import { isWeakRsaKey, kidOf, type PublishedKey, readPublishedKey } from './published-keys';
import { ASYMMETRIC_ALGORITHMS, type KeyWithAlgorithms } from './verification-keys';

const TIMING = {
  /** Keys older than this are fetched again in the background. */
  refreshMs: 5 * 60_000,
  /** Keys older than this are not used until they are fetched again, so that a withdrawn key is refused eventually. */
  maxAgeMs: 10 * 60_000,
  /**
   * However many unknown keys callers name, there are at most `burst` fetches at once, and then one in each cool-down.
   */
  burst: 5,
  cooldownMs: 30_000,
  /** The minimum time after a failed fetch, so that a recovery is noticed soon. */
  retryMs: 1_000,
  timeoutMs: 3_000,
};

/** How far the clock of an identity provider may lag behind. */
const CLOCK_TOLERANCE_SECONDS = 60;

/**
 * The keys of a JSON Web Key Set (RFC 7517) at a URL. They are cached, and fetched again when they are old or a token
 * names an unknown key. While the endpoint is down, known keys remain valid, and tokens with unknown keys are answered
 * 503 at once.
 */
export class JwksKeys {
  /** Failed fetches since the start. */
  failures = 0;
  private readonly logger = new Logger(JwksKeys.name);
  private keys: readonly PublishedKey[] = [];
  /** The ids of all keys of the set, including unusable ones. */
  private kids: ReadonlySet<string | undefined> = new Set();
  private fetchedAt = -Infinity;
  /** When the cool-downs of all fetches will have passed, one after the other. */
  private cooledAt = -Infinity;
  private failedAt = -Infinity;
  private fetching: Promise<void> | undefined;
  /** The weak keys of the set, as they were logged. */
  private weak = '';
  /** The error of the last fetch, if it failed. */
  private failure: unknown;

  /** @param clock monotonic milliseconds */
  constructor(
    private readonly uri: string,
    private readonly timing = TIMING,
    private readonly clock = () => performance.now(),
  ) {}

  /**
   * The key for a token with this header.
   *
   * @param issuedAt the age that the token claims. It is not verified yet, and only decides how the caller is refused.
   * @throws TokenRefusedError if the endpoint does not have the key
   * @throws KeysAwayError if the endpoint fails, or may have the key by now and cannot be asked
   * yet
   */
  async get(header: JwtHeader, issuedAt: () => unknown): Promise<KeyWithAlgorithms> {
    refuseHopeless(header);
    const askedAt = this.clock();
    const known = this.find(header);
    const age = askedAt - this.fetchedAt;
    if (known && age <= this.timing.refreshMs) return known;
    const refreshed = this.refresh();
    if (known && age <= this.timing.maxAgeMs) return known;
    // While the endpoint fails, callers do not wait for each attempt.
    if (!this.failure) await refreshed;
    const key = this.find(header);
    if (key) return key;
    if (this.failure) throw new KeysAwayError(undefined, { cause: this.failure });
    if (this.fetchedAt < askedAt && this.mayBeNewer(header, issuedAt)) throw this.notYet();
    throw new TokenRefusedError('the token names a key that is not published');
  }

  /**
   * A token without `kid` matches only if there is a single key. Keys that share a `kid` are alternatives for different
   * algorithms (RFC 7517 section 4.5).
   */
  private find({ kid, alg }: JwtHeader): KeyWithAlgorithms | undefined {
    if (kid === undefined) return this.keys.length === 1 ? this.keys[0] : undefined;
    const named = this.keys.filter((key) => key.kid === kid);
    return named.find(({ algorithms }) => algorithms.some((algorithm) => algorithm === alg)) ?? named[0];
  }

  /**
   * Whether a key may have been published since the last fetch. An older token cannot use such a key, because keys are
   * published before they are used.
   */
  private mayBeNewer(header: JwtHeader, issuedAt: () => unknown): boolean {
    const kid = kidOf(header);
    if (kid === undefined || this.kids.has(kid)) return false;
    const time = issuedAt();
    // Computed from the age, so that a wall clock that was set back since the fetch does not make tokens look old.
    const fetchedAtTime = (Date.now() - (this.clock() - this.fetchedAt)) / 1_000;
    return typeof time !== 'number' || time + CLOCK_TOLERANCE_SECONDS >= fetchedAtTime;
  }

  private notYet(): KeysAwayError {
    const seconds = Math.max(1, Math.ceil((this.nextFetchAt() - this.clock()) / 1_000));
    const cause = new TokenRefusedError(
      'the token names a key that was not published when the key set was last fetched',
    );
    return new KeysAwayError(seconds, { cause });
  }

  private nextFetchAt(): number {
    const { burst, cooldownMs, retryMs } = this.timing;
    return this.failure ? this.failedAt + retryMs : this.cooledAt - (burst - 1) * cooldownMs;
  }

  /** At most one fetch at a time, shared by all callers. */
  private refresh(): Promise<void> {
    if (!this.fetching && this.clock() >= this.nextFetchAt()) {
      this.fetching = this.fetch().finally(() => (this.fetching = undefined));
    }
    return this.fetching ?? Promise.resolve();
  }

  /** Once for each set of them. */
  private warnOfWeak(kids: string[]): void {
    const weak = kids.join(', ');
    if (weak !== this.weak && weak !== '') this.logger.warn(`these RSA keys of the key set ${WEAK}: ${weak}`);
    this.weak = weak;
  }

  private async fetch(): Promise<void> {
    const startedAt = this.clock();
    try {
      const published = await fetchKeySet(this.uri, this.timing.timeoutMs);
      this.keys = published.flatMap((jwk) => readPublishedKey(jwk) ?? []);
      this.kids = new Set(published.map(kidOf));
      this.warnOfWeak(published.filter(isWeakRsaKey).map((jwk) => kidOf(jwk) ?? 'one without a kid'));
      this.fetchedAt = startedAt;
      this.cooledAt = Math.max(this.cooledAt, this.clock()) + this.timing.cooldownMs;
      if (this.failure) this.logger.log('the key set can be fetched again');
      this.failure = undefined;
    } catch (error) {
      if (!this.failure) this.logger.warn(`the key set cannot be fetched: ${wordsOf(error)}`);
      this.failure = error;
      this.failedAt = this.clock();
      this.failures++;
    }
  }
}

const WEAK = 'have fewer than 2048 bits, or an exponent that is even or below 65537: they are not used';

/** The message of `fetch` says only that it failed; the reason is its cause. */
function wordsOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return [message, cause?.message || cause?.code].filter(Boolean).join(': ');
}

/** Refuses tokens that no published key could verify, without a fetch. */
function refuseHopeless(header: JwtHeader): void {
  const { alg, kid }: { alg: unknown; kid?: unknown } = header;
  if (!ASYMMETRIC_ALGORITHMS.some((algorithm) => algorithm === alg)) throw new TokenRefusedError('invalid algorithm');
  if (kid !== undefined && typeof kid !== 'string') throw new TokenRefusedError('kid is not a string');
}
