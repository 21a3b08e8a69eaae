import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { inTurn } from '../../src/server/pipelines';
import { eventually } from '../support/eventually';

/** One in progress, and as many waiting as a connection may have. */
const FULL = 101;
/** The connections whose waiting requests together are the most that a server keeps. */
const MOST = 50;

let received = 0;
let closed = 0;
const handle = inTurn((request, response) => void (request.url === '/quick' && response.end()));
const server = createServer((request, response) => {
  received += 1;
  response.on('close', () => (closed += 1));
  handle(request, response);
});

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());

function send(path: string, count: number, first = path): Socket {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1')
    .on('error', () => undefined)
    .resume();
  const request = (to: string) => `GET ${to} HTTP/1.1\r\nHost: x\r\n\r\n`;
  socket.write(request(first) + request(path).repeat(count - 1));
  return socket;
}

/** Sends a full pipeline on each of so many connections. */
async function fill(connections: number, path: string, first = path): Promise<Socket[]> {
  const expected = received + connections * FULL;
  const sockets = Array.from({ length: connections }, () => send(path, FULL, first));
  await eventually(() => expect(received).toBe(expected));
  return sockets;
}

const allClosed = () => eventually(() => expect(closed).toBe(received));

it('requests count as waiting only while they wait, and all connections of a server share their number', async () => {
  for (const [first, path] of [
    ['/quick', '/quick'],
    ['/hang', '/hang'],
    ['/quick', '/hang'],
  ] as const) {
    const [socket] = await fill(1, path, first);
    if (path === '/quick') await allClosed();
    socket?.destroy();
    await allClosed();
  }
  const sockets = await fill(MOST, '/hang');
  await once(send('/hang', 2), 'close');
  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
  for (const socket of sockets) socket.destroy();
  await allClosed();
});
