import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expectFailure, failToStart } from './failed-start';

describe('a start at an address that it cannot use', () => {
  const DATABASE_URL = 'postgres://127.0.0.1:1/none';
  let taken: Server | undefined;

  afterEach(() => taken?.close());

  it('reports that the address is already in use', async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    await expectFailure(
      { DATABASE_URL, LOG_LEVEL: 'error', PORT: String(port) },
      `The service cannot listen (EADDRINUSE): PORT ${port} of HOST 127.0.0.1 is in use. ` +
        'Stop the other process, or set PORT to another one.',
    );
  });

  it('reports that the machine does not have the address', async () => {
    await expectFailure(
      { DATABASE_URL, LOG_LEVEL: 'error', HOST: '203.0.113.7' },
      'The service cannot listen (EADDRNOTAVAIL): HOST 203.0.113.7 is no address of this machine. ' +
        'Set HOST to one that is, or to 0.0.0.0 for all.',
    );
  });

  it("reports that the host's name cannot be resolved", async () => {
    const { exitCode, stdout, stderr } = await failToStart({
      DATABASE_URL,
      LOG_LEVEL: 'error',
      HOST: 'nowhere.invalid',
    });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^The service cannot listen \(E\w+\): HOST nowhere\.invalid has no address\. Set HOST to .*\n$/,
    );
  });
});
