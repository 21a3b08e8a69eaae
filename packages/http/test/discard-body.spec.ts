import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Request, Response } from 'express';
import { discardBody } from '../src/discard-body';

let server: Server;
let caller: Socket;
beforeEach(async () => {
  server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
});
afterEach(() => {
  caller.destroy();
  server.close();
});

/** A request whose caller sends its body only when it is asked, or so it says. */
async function received(): Promise<[Request, Response]> {
  const arrived = once(server, 'checkContinue');
  caller.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n');
  return (await arrived) as [Request, Response];
}

describe('the body of a caller that can wait to be asked for it', () => {
  it('is discarded if the caller sends it without waiting', async () => {
    const [request, response] = await received();
    caller.write('{}');
    while (request.readableLength === 0) await new Promise(setImmediate);
    const discarded = discardBody(request, response);
    caller.write('{}');
    await discarded;
    expect(request.complete).toBe(true);
  });

  it('is not waited for if the caller waits', async () => {
    const [request, response] = await received();
    const began = performance.now();
    await discardBody(request, response);
    expect(request.complete).toBe(false);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
