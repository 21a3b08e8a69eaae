import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/** Finds the addresses of a host. */
export type HostResolver = (hostname: string) => Promise<LookupAddress[]>;

/**
 * As any program of this machine resolves it. Each lookup occupies one of the few threads that files and passwords of
 * databases need, too.
 */
export const resolveLikeSystem: HostResolver = (hostname) => lookup(hostname, { all: true });

/** Two tries take at most six seconds, less than an attempt. */
const TRIES = { timeout: 2_000, tries: 2 };

/**
 * Asks the name servers of this machine, over sockets and without a thread: a name server that does not answer delays
 * nothing else. The file `hosts` and search domains do not apply. IPv4 comes first, because not every network has IPv6.
 *
 * @throws the error of the IPv4 lookup if no address is found
 */
export async function resolveByDns(hostname: string, servers?: readonly string[]): Promise<LookupAddress[]> {
  // A new one reads the current configuration of this machine.
  const resolver = new Resolver(TRIES);
  if (servers) resolver.setServers(servers);
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  return [...addressesOf(four, 4), ...addressesOf(six, 6)];
}

function addressesOf(found: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : [];
}
