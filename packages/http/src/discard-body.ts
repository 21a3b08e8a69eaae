import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { waitsToBeAsked } from './read-body';

/** How long a caller may continue to send a body that will not be read. */
const LINGER_MS = 2_000;
/** Some callers send `Expect: 100-continue` and do not wait for the answer. Their body begins within this time. */
const BEGIN_MS = 100;

/**
 * Await this before refusing a request whose body was not read, if its connection ends with the answer: it reads and
 * discards what still arrives. Otherwise the connection would be reset, and the answer could be lost. On a connection
 * that stays open, Node does this automatically. A caller that waits to be asked for its body sends none after the
 * refusal.
 */
export async function discardBody(request: Request, response: Response): Promise<void> {
  const closes = !response.shouldKeepAlive || response.getHeader('connection') === 'close';
  if (request.complete || request.destroyed || !closes) return;
  const discarded = once(request, 'close');
  const begun = waitsToBeAsked(request) ? once(request, 'data') : undefined;
  request.resume();
  if (begun && !(await isWithin(BEGIN_MS, Promise.race([begun, discarded])))) return;
  await isWithin(LINGER_MS, discarded);
}

/** Whether it happens, or fails, within this time. */
async function isWithin(ms: number, happening: Promise<unknown>): Promise<boolean> {
  const patience = new AbortController();
  const late = delay(ms, false, { signal: patience.signal, ref: false }).catch(() => false);
  const isInTime = await Promise.race([happening.catch(() => undefined).then(() => true), late]);
  patience.abort();
  return isInTime;
}
