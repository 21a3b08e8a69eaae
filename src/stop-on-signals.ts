import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import type { Config } from './config/config';
import { RequestsUnderWay } from './server/requests-under-way';
import { DeliveryWorker } from './webhooks/delivery-worker';
import { onStop } from './workers';

/** From when it takes no more connections. A platform gives a process that it stops some ten seconds, and then kills it. */
const STOP_WITHIN_MS = 3_500;

/**
 * Told to stop, the service answers what is under way, and only then takes itself apart: Nest's own hooks would do so at
 * once. Told twice, or once that takes too long, it ends there and then; what was not acknowledged is undone by the database.
 */
export function stopOnSignals(app: INestApplication, { httpBounds }: Config): { begun: boolean } {
  const stop = { begun: false };
  const begin = (): void => {
    if (stop.begun) return;
    stop.begun = true;
    setTimeout(() => process.exit(1), httpBounds.drainMs + STOP_WITHIN_MS).unref();
    end(app, httpBounds.drainMs).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  const onSignal = (): void => (stop.begun ? process.exit(1) : begin());
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  onStop(begin);
  return stop;
}

/** Callers and receivers of webhooks are waited for at the same time: either can take nearly all that there is. */
async function end(app: INestApplication, drainMs: number): Promise<void> {
  const requests = app.get(RequestsUnderWay).drain();
  const deliveries = delay(drainMs).then(() => app.get(DeliveryWorker).stop());
  await Promise.all([requests, deliveries]);
  await app.close();
}
