import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { DestinationRefusedError, Destinations } from '../../src/plugins/webhooks/destinations';
import { registrableUrl } from '../../src/plugins/webhooks/registrable-url';
import { isPublicAddress } from '../../src/plugins/webhooks/public-addresses';
import type { HostResolver } from '../../src/plugins/webhooks/resolve-host';
import { WebhookSender } from '../../src/plugins/webhooks/webhook-sender';

const NEVER = new AbortController().signal;

describe('an IP address', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '192.168.255.255',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a00:1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::',
    '64:ff9b::1',
    '64:ff9b:1::8.8.8.8',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    '2002:7f00:1::1',
    '2002:808:808::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456:789a::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '4000::1',
  ])('is not public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

const resolvingTo =
  (...addresses: string[]): HostResolver =>
  () =>
    Promise.resolve(addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })));

describe('the destination of a webhook', () => {
  const destinations = new Destinations(false, resolvingTo('8.8.8.8'));

  it.each([
    '',
    'hooks',
    '//example.com/',
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
    'https:///',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://:secret@example.com/',
    `https://example.com/${'x'.repeat(2_048)}`,
    `https://example.com/${'\u00e9'.repeat(400)}`,
    'https://exa mple.com/',
    'https://[::1/',
    'https://example.com:99999/',
  ])('cannot be %s, whatever its host resolves to', (text) => {
    expect(() => destinations.read(text)).toThrow(DestinationRefusedError);
  });

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1:8443/',
    'https://\u0661\u0662\u0667.0.0.1/',
    'https://\uff11\uff12\uff17.0.0.1/',
  ])('cannot be %s, because that address is not public', (text) => {
    expect(() => destinations.read(text)).toThrow(DestinationRefusedError);
  });

  it.each([[['10.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['2606:4700::1', '::1']]])(
    'cannot be a host name that resolves to %s',
    async (addresses) => {
      const leading = new Destinations(false, resolvingTo(...addresses));
      await expect(leading.addresses(leading.read('https://example.com/'))).rejects.toThrow(DestinationRefusedError);
    },
  );

  it.each(['localhost', 'LOCALHOST', 'localhost.', 'api.localhost'])(
    'cannot be this machine by its name %s',
    (name) => {
      expect(() => destinations.read(`https://${name}/`)).toThrow(DestinationRefusedError);
    },
  );

  it('can be any of these when private addresses are allowed, but with no other protocol', async () => {
    const open = new Destinations(true, resolvingTo('127.0.0.1'));
    expect(await open.addresses(open.read('http://[::1]:8080/'))).toEqual([{ address: '::1', family: 6 }]);
    expect(await open.addresses(open.read('https://internal/'))).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(() => open.read('ftp://127.0.0.1/')).toThrow(DestinationRefusedError);
    expect(() => open.read('http://user@127.0.0.1/')).toThrow(DestinationRefusedError);
  });
});

describe('a connection to a webhook', () => {
  let server: Server;
  /** The first bytes of each connection. */
  let heard: Buffer[];

  beforeEach(async () => {
    heard = [];
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => {
        heard.push(bytes);
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const url = (protocol: string) => `${protocol}://hooks.example.test:${(server.address() as AddressInfo).port}/in`;
  const send = (destinations: Destinations, to: string) =>
    new WebhookSender(destinations, 2_000).post({ url: to, headers: {}, body: '{}' }, NEVER);

  it('uses the address that was checked, without a second lookup', async () => {
    const answers = [resolvingTo('127.0.0.1'), resolvingTo('0.0.0.1'), resolvingTo('0.0.0.1')];
    let asked = 0;
    const rebinding: HostResolver = (name) => (answers[asked++] ?? resolvingTo())(name);

    expect(await send(new Destinations(true, rebinding), url('http'))).toMatchObject({ status: 204 });
    expect(asked).toBe(1);
    expect(heard[0]?.toString()).toMatch(/^POST \/in HTTP\/1\.1\r\n/);
    expect(heard[0]?.toString()).toMatch(/\r\nHost: hooks\.example\.test:\d+\r\n/i);
  });

  it('is refused if a name that led to a public address now leads to a private one', async () => {
    const answers = [resolvingTo('8.8.8.8'), resolvingTo('127.0.0.1')];
    const destinations = new Destinations(false, (name) => (answers.shift() ?? resolvingTo())(name));
    await destinations.addresses(destinations.read(url('https')));
    await expect(send(destinations, url('https'))).rejects.toThrow(DestinationRefusedError);
    expect(heard).toEqual([]);
  });

  it('sends the host name in the TLS handshake, and refuses a server without a valid certificate', async () => {
    await expect(send(new Destinations(true, resolvingTo('127.0.0.1')), url('https'))).rejects.toThrow();
    expect(heard[0]?.includes('hooks.example.test')).toBe(true);
    // A handshake record of TLS, not a request in the clear.
    expect(heard[0]?.[0]).toBe(0x16);
  });

  it('is given up after the time limit of an attempt, if the name server does not answer', async () => {
    const silent = new Destinations(false, () => new Promise(() => undefined));
    await expect(
      new WebhookSender(silent, 50).post({ url: url('https'), headers: {}, body: '' }, NEVER),
    ).rejects.toThrow('no answer within 0.05 s');
  });
});

it.each([
  'http://localhost:3000/',
  'https://localhost/',
  'https://hooks.localhost./',
  'https://127.0.0.1/',
  'http://example.com/',
])('the log says what permits %s', async (url) => {
  const refused = registrableUrl(new Destinations(false), url);
  const cause = { message: expect.stringContaining('; WEBHOOK_ALLOW_PRIVATE=true permits it') as string };
  await expect(refused).rejects.toMatchObject({ code: 'webhook.url_invalid', cause });
});
