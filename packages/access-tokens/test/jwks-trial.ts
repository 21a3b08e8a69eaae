import { Logger } from '@nestjs/common';
import type { JwtHeader } from 'jsonwebtoken';
import { JwksKeys, KeysAwayError, TokenRefusedError } from '../src/index';
import { JwksEndpoint } from './jwks-endpoint';
import { signingKey, type SigningKeyPair } from '../../../test/auth/signing-keys';

export const TIMING = {
  refreshMs: 300_000,
  maxAgeMs: 600_000,
  cooldownMs: 30_000,
  burst: 5,
  retryMs: 1_000,
  timeoutMs: 10_000,
};

/** What {@link JwksTrial.ask} answers for a usable RSA key without an algorithm of its own. */
export const ANY_RSA = 'RS256,RS384,RS512,PS256,PS384,PS512';

/** Three keys of an identity provider, and for each test: an endpoint that publishes `one`, a look-up of its keys, and a clock. */
export class JwksTrial {
  now = 0;
  timing = { ...TIMING };
  endpoint!: JwksEndpoint;
  keys!: JwksKeys;
  readonly logged: string[] = [];

  private constructor(
    readonly one: SigningKeyPair,
    readonly two: SigningKeyPair,
    readonly ec: SigningKeyPair,
  ) {
    // Nothing of what else runs in this process.
    const keep = (message: string, ...others: string[]): void => {
      if (others.at(-1) === JwksKeys.name) this.logged.push(message);
    };
    Logger.overrideLogger({ log: keep, warn: keep, error: keep });
  }

  static async open(): Promise<JwksTrial> {
    const keys = [signingKey('one'), signingKey('two'), signingKey('ec', 'ES256')] as const;
    return new JwksTrial(...(await Promise.all(keys)));
  }

  async beforeEach(): Promise<void> {
    this.now = 0;
    this.timing = { ...TIMING };
    this.endpoint = await JwksEndpoint.open(this.one.jwk);
    this.keys = new JwksKeys(this.endpoint.url, this.timing, () => this.now);
  }

  afterEach(): Promise<void> {
    return this.endpoint.down();
  }

  /** Looks up the key for a token with this header that is an hour old: its algorithms, or the reason why there is none. */
  async ask(kid: unknown, alg = 'RS256', issuedAt: unknown = Date.now() / 1_000 - 3_600): Promise<string> {
    try {
      return (await this.keys.get({ alg, kid } as JwtHeader, () => issuedAt)).algorithms.join();
    } catch (error) {
      if (error instanceof TokenRefusedError) return 'refused';
      if (!(error instanceof KeysAwayError)) throw error;
      const { seconds } = error;
      return seconds === undefined ? 'unavailable' : `unavailable for ${seconds} s`;
    }
  }

  /** Resolves when the background fetch has ended. Undefined if there is none. */
  fetched(): Promise<void> | undefined {
    return (this.keys as unknown as { fetching?: Promise<void> }).fetching;
  }
}
