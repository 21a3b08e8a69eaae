/** Which addresses are public. `destinations.ts` refuses the others. */
import { BlockList, isIPv6 } from 'node:net';

/** IPv4 networks without public hosts (IANA's special-purpose registry, RFC 6890 and its updates). */
const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, with the metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];

/** The only IPv6 network with public hosts. Loopback, link-local, private and multicast addresses are outside of it. */
const GLOBAL_UNICAST_IPV6 = ['2000::/3'];
const NOT_PUBLIC_IPV6 = [
  '2001::/23', // protocol assignments, with Teredo, which contains an IPv4 address
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which contains an IPv4 address
  '3fff::/20', // documentation
];

/**
 * IPv6 addresses that stand for the IPv4 address in their last 32 bits: mapped (RFC 4291), and translated (RFC 6052).
 */
const HOLDS_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'];

const notPublic4 = subnets(NOT_PUBLIC_IPV4, 'ipv4');
const global6 = subnets(GLOBAL_UNICAST_IPV6, 'ipv6');
const notPublic6 = subnets(NOT_PUBLIC_IPV6, 'ipv6');
const holdsIpv4 = subnets(HOLDS_IPV4, 'ipv6');

/** Whether an IP address can belong to a host on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return !notPublic4.check(address, 'ipv4');
  // Only link-local addresses have a zone, as in fe80::1%eth0.
  if (address.includes('%')) return false;
  if (holdsIpv4.check(address, 'ipv6')) return isPublicAddress(lastIpv4(address));
  return global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
}

function subnets(list: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const blocks = new BlockList();
  for (const subnet of list) {
    const [network = '', prefix] = subnet.split('/');
    blocks.addSubnet(network, Number(prefix), family);
  }
  return blocks;
}

/** The last 32 bits of an IPv6 address in any notation. */
function lastIpv4(address: string): string {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const groups = written.split(':').slice(-2);
  return groups
    .map((group) => parseInt(group || '0', 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}
