import { isIP } from 'node:net';

/** Some proxies (Azure Application Gateway) append the port of the caller. An IPv6 address is then in brackets. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/;
const MAPPED_IPV4 = /^::ffff:(?=[\d.]+$)/i;
/** The groups of an IPv6 address that name its network. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * The unit that counts as one address: an IPv4 address, or an IPv6 network of 64 bits, which providers assign to one
 * customer.
 *
 * @example networkOf('2001:db8::7'); // '2001:db8:0:0'
 */
export function networkOf(address = ''): string {
  const plain = address.replace(WITH_PORT, '$1$2').replace(MAPPED_IPV4, '');
  const version = isIP(plain);
  if (version !== 6) return version === 4 ? plain : 'unknown';
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0');
  const groups = [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS);
  return groups.map((group) => parseInt(group, 16).toString(16)).join(':');
}
