import { networkOf } from '../src/address-network';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['2001:db8::7', '2001:db8:0:0'],
  ['2001:0DB8:0:0:1:2:3:4', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  // Some proxies append the port of the caller in X-Forwarded-For.
  ['192.0.2.7:49152', '192.0.2.7'],
  ['[2001:db8::7]:49152', '2001:db8:0:0'],
  ['[2001:db8::7]', '2001:db8:0:0'],
  ['::', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0'],
  ['not an address', 'unknown'],
  [undefined, 'unknown'],
])('the address %s counts for fair use as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
