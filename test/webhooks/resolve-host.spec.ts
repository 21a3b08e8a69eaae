import { readFile } from 'node:fs/promises';
import { DestinationRefusedError, Destinations } from '../../src/plugins/webhooks/destinations';
import { resolveByDns } from '../../src/plugins/webhooks/resolve-host';
import { NameServer } from './name-server';

const PUBLIC = [8, 8, 8, 8];
const PUBLIC_6 = [0x26, 6, 0x47, 0, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11];
const LOOPBACK_6 = [...Array.from({ length: 15 }, () => 0), 1];

let server: NameServer;
afterEach(() => server.close());

const resolve = () => resolveByDns('hooks.example.test', [server.address]);

describe('the name servers of this machine', () => {
  it('give the addresses of both families, IPv4 first', async () => {
    server = await NameServer.open((type) => [type === 'A' ? PUBLIC : PUBLIC_6]);
    expect(await resolve()).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
  });

  it('can know addresses of one family only', async () => {
    server = await NameServer.open((type) => (type === 'A' ? [] : [PUBLIC_6]));
    expect(await resolve()).toEqual([{ address: '2606:4700:4700::1111', family: 6 }]);
  });

  it('can know no address', async () => {
    server = await NameServer.open(() => []);
    await expect(resolve()).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('cannot hide a private address of one family behind a public one of the other', async () => {
    server = await NameServer.open((type) => [type === 'A' ? PUBLIC : LOOPBACK_6]);
    const destinations = new Destinations(false, resolve);
    await expect(destinations.addresses(new URL('https://hooks.example.test/'))).rejects.toThrow(
      DestinationRefusedError,
    );
  });

  it('occupy no thread while they do not answer', async () => {
    server = await NameServer.open(() => undefined);
    let ended = 0;
    const lookups = Array.from({ length: 16 }, () => resolve().finally(() => (ended += 1)));
    // Reading a file needs a thread.
    await readFile(__filename);
    expect(ended).toBe(0);
    const results = await Promise.allSettled(lookups);
    expect(results.map((result) => result.status === 'rejected' && (result.reason as { code: string }).code)).toEqual(
      Array.from({ length: 16 }, () => 'ETIMEOUT'),
    );
  });
});
