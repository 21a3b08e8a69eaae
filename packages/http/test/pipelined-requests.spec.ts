import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oneAtATime } from '../src/pipelined-requests';
import { RawConnection } from '../../../test/support/raw-connection';

const REQUEST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';

const handled: ServerResponse[] = [];
const server = createServer(oneAtATime((_request, response) => void handled.push(response)));

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());
beforeEach(() => (handled.length = 0));

/** Sends these requests at once, and returns when the server has received all of them. */
async function send(count: number): Promise<RawConnection> {
  let received = 0;
  const all = new Promise<void>((resolve) => {
    const listener = () => {
      received += 1;
      if (received < count) return;
      server.off('request', listener);
      resolve();
    };
    server.on('request', listener);
  });
  const { port } = server.address() as AddressInfo;
  const connection = new RawConnection(`http://127.0.0.1:${port}`).read().write(REQUEST.repeat(count));
  await all;
  return connection;
}

it('a request that comes before the answer to the previous one is not handled, and the connection ends with that answer', async () => {
  const connection = await send(3);
  expect(handled).toHaveLength(1);
  handled[0]?.end('done');
  const answer = await connection.closed();
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n[^]*\r\n\r\ndone$/);
  expect(handled).toHaveLength(1);
});

it('so does an answer that has begun', async () => {
  const connection = await send(1);
  handled[0]?.write('one');
  connection.write(REQUEST);
  await once(server, 'request');
  handled[0]?.end('two');
  expect(await connection.closed()).toMatch(/one\r\n[^]*two\r\n0\r\n\r\n$/);
  expect(handled).toHaveLength(1);
});

it('a caller that never stops is cut off', async () => {
  const connection = await send(102);
  await connection.closed();
  expect(handled).toHaveLength(1);
});
