import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { useTestService } from '../support/test-service';
import { ask } from '../support/ask';

const service = useTestService({ environment: { HEADERS_TIMEOUT_MS: '2000', REQUEST_TIMEOUT_MS: '3000' } });

/** Sends this much and then nothing more; resolves with what came back once the connection has closed. */
async function stallAfter(text: string): Promise<{ answer: string; ms: number }> {
  const began = performance.now();
  const socket: Socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return { answer, ms: performance.now() - began };
}

const HEAD = 'POST /api/users/manage-status HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('a caller that stops in the middle of a request', () => {
  it.each([
    ['before a request', '', 20_000],
    ['in its headers', HEAD, 20_000],
  ])('%s receives an error, and the connection is closed', async (_, text, withinMs) => {
    const { answer, ms } = await stallAfter(text);
    if (answer !== '') expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(ms).toBeLessThan(withinMs);
  });

  it('in its body receives a 408, or a 401 if it is not authorized, and the connection is closed', async () => {
    await service.directory.user('ada', { type: 'administrator' });
    const half = 'Content-Length: 100\r\n\r\n{"id":';
    const known = await stallAfter(`${HEAD}Authorization: Bearer ${service.tokenOf('ada')}\r\n${half}`);
    expect(known.answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(known.ms).toBeLessThan(20_000);
    const unknown = await stallAfter(HEAD + half);
    expect(unknown.answer).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(unknown.ms).toBeLessThan(20_000);
  });

  it('does not delay other callers', async () => {
    const stalled = Array.from({ length: 200 }, () => stallAfter(HEAD));
    const began = performance.now();
    expect((await ask(`${service.url}/health/live`)).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(10_000);
    await Promise.all(stalled);
  });
});
