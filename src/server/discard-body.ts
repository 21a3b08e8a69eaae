import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { waitsToBeAsked } from './read-body';

/** How long a caller may continue to send a body that will not be read. */
const LINGER_MS = 2_000;

/**
 * Await this before refusing a request whose body was not read, if its connection ends with the answer: it reads and
 * discards what still arrives. Otherwise the connection would be reset, and the answer could be lost. On a connection
 * that stays open, Node does this automatically. A caller that waits to be asked for its body sends none after the refusal.
 */
export async function discardBody(request: Request, response: Response): Promise<void> {
  const closes = !response.shouldKeepAlive || response.getHeader('connection') === 'close';
  if (request.complete || request.destroyed || !closes) return;
  if (waitsToBeAsked(request) && request.readableLength === 0) return;
  const patience = new AbortController();
  const discarded = once(request, 'close');
  request.resume();
  await Promise.race([discarded, delay(LINGER_MS, undefined, { signal: patience.signal, ref: false })]).catch(
    () => undefined,
  );
  patience.abort();
}
