import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port of this machine that nobody listens on now, below those that the system gives to connections: a client that asks for
 * a port there while its server is away can be given that very port, connect to itself, and keep the server out.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    // `fetch` refuses 10,080 (Fetch Standard, "bad port"), and no port above it.
    const port = 10_081 + Math.floor(Math.random() * 19_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      once(server, 'listening').then(() => true),
      new Promise<boolean>((resolve) => server.once('error', () => resolve(false))),
    ]).catch(() => false);
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
