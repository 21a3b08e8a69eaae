import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';

/** How long a caller may go on sending what nobody will read. */
const LINGER_MS = 2_000;

/**
 * To be awaited before a request is refused whose body was not read, and whose connection ends with the answer: reads what is on
 * its way, and throws it away. Closed meanwhile, the connection would be reset, and the answer could be lost. On a connection that
 * stays open Node does so by itself.
 */
export async function discardBody(request: Request, response: Response): Promise<void> {
  const closes = !response.shouldKeepAlive || response.getHeader('connection') === 'close';
  if (request.complete || request.destroyed || !closes) return;
  const patience = new AbortController();
  const discarded = once(request, 'close');
  request.resume();
  await Promise.race([discarded, delay(LINGER_MS, undefined, { signal: patience.signal, ref: false })]).catch(
    () => undefined,
  );
  patience.abort();
}
