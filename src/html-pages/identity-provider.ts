import { Logger } from '@nestjs/common';
import { fetchProvider, type ProviderMetadata } from './fetch-provider';

const TIMING = {
  /** Metadata older than this are fetched again in the background. */
  refreshMs: 10 * 60_000,
  /** The minimum time after a failed fetch: who opens the page does not wait for each attempt. */
  retryMs: 5_000,
  timeoutMs: 3_000,
};

/** The identity provider at which people sign in. It is discovered when somebody first opens the page, and cached. */
export class IdentityProvider {
  private readonly logger = new Logger(IdentityProvider.name);
  private known: ProviderMetadata | undefined;
  private nextFetchAt = -Infinity;
  private fetching: Promise<void> | undefined;
  private isAway = false;

  /** @param clock monotonic milliseconds */
  constructor(
    private readonly issuer: string,
    private readonly timing = TIMING,
    private readonly clock = () => performance.now(),
  ) {}

  /** Metadata that were fetched before remain valid while the provider is away. @returns undefined if there are none */
  async metadata(): Promise<ProviderMetadata | undefined> {
    if (!this.fetching && this.clock() >= this.nextFetchAt) {
      this.fetching = this.fetch().finally(() => (this.fetching = undefined));
    }
    if (!this.known) await this.fetching;
    return this.known;
  }

  private async fetch(): Promise<void> {
    const { refreshMs, retryMs, timeoutMs } = this.timing;
    try {
      this.known = await fetchProvider(this.issuer, timeoutMs);
      this.nextFetchAt = this.clock() + refreshMs;
      this.isAway = false;
    } catch (error) {
      const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
      const words = [message, cause?.message || cause?.code].filter(Boolean).join(': ');
      if (!this.isAway) this.logger.warn(`OIDC_ISSUER cannot be discovered: ${words}`);
      this.nextFetchAt = this.clock() + retryMs;
      this.isAway = true;
    }
  }
}
