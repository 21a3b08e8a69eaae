import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-addresses';
import { type HostResolver, resolveByDns, resolveLikeSystem } from './resolve-host';
import { WEBHOOK_LIMITS } from './limits';

/** A URL leads to a destination that webhooks may not use. */
export class DestinationRefusedError extends Error {}

/** Always this machine (RFC 6761), so name servers need not know it. */
const LOCALHOST = /(^|\.)localhost\.?$/;

/** For the log: what an operator can do. */
const PERMIT = '; WEBHOOK_ALLOW_PRIVATE=true permits it';

/**
 * Decides where webhooks may lead: to https URLs on public hosts, so that nobody can use this service to reach hosts
 * that only it can reach. An operator can permit private addresses and plain http.
 */
export class Destinations {
  constructor(
    private readonly allowPrivate: boolean,
    private readonly resolve: HostResolver = allowPrivate ? resolveLikeSystem : (name) => resolveByDns(name),
  ) {}

  /**
   * Parses a URL, and checks what its text alone can show.
   *
   * @throws DestinationRefusedError
   */
  read(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || url.href.length > WEBHOOK_LIMITS.url) throw new DestinationRefusedError('the URL is not valid');
    if (url.protocol !== 'https:' && !(this.allowPrivate && url.protocol === 'http:')) {
      const hint = url.protocol === 'http:' ? PERMIT : '';
      throw new DestinationRefusedError(`the URL begins with ${url.protocol}${hint}`);
    }
    if (url.username || url.password) throw new DestinationRefusedError('the URL carries credentials');
    if (!this.allowPrivate && LOCALHOST.test(url.hostname)) {
      throw new DestinationRefusedError(`the host is this machine${PERMIT}`);
    }
    const literal = literalAddress(url);
    if (literal) this.check([literal]);
    return url;
  }

  /**
   * Resolves the addresses to connect to. All of them must be permitted: a name with both public and private addresses
   * is refused.
   *
   * @throws DestinationRefusedError, or the error of the resolution
   */
  async addresses(url: URL): Promise<LookupAddress[]> {
    const literal = literalAddress(url);
    const addresses = literal ? [literal] : await this.resolve(url.hostname);
    if (addresses.length === 0) throw new Error('the host has no address');
    this.check(addresses);
    return addresses;
  }

  private check(addresses: LookupAddress[]): void {
    const refused = addresses.find(({ address }) => !this.allowPrivate && !isPublicAddress(address));
    if (refused) throw new DestinationRefusedError(`the host has an address that is not public${PERMIT}`);
  }
}

/** The host of a URL if it is an address; undefined if it is a name. */
function literalAddress({ hostname }: URL): LookupAddress | undefined {
  const address = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return family === 0 ? undefined : { address, family };
}
