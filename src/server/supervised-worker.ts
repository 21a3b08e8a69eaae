import cluster from 'node:cluster';

// What a worker does to talk with its supervisor, which is in `workers.ts`.

/** Marks the workers of this service. Process managers such as pm2 fork workers as well, but do not understand the messages below. */
export const MARK = '--worker';

/** The message of a worker to its supervisor: it serves, or it ends, with the text to print. */
export type Report = { greeting: string } | { failure: string };

/** The message of the supervisor to a worker: answer the requests in progress, and end. */
export const STOP = 'stop';

/** Whether the parent process is a supervisor of this service. */
export function isSupervised(): boolean {
  return cluster.isWorker && process.argv.includes(MARK);
}

/** Tells the supervisor that this worker serves. */
export function reportReady(greeting: string): void {
  process.send?.({ greeting } satisfies Report);
}

/** Tells the supervisor why this worker ends. A process without a supervisor prints the text itself. */
export async function reportFailure(failure: string): Promise<void> {
  const isSent = isSupervised() && (await send({ failure }));
  if (!isSent) process.stderr.write(failure);
}

/** @returns false if the supervisor is gone */
function send(report: Report): Promise<boolean> {
  return new Promise((resolve) => {
    if (!process.connected) resolve(false);
    else process.send?.(report, undefined, undefined, (error) => resolve(!error));
  });
}

/** Handles the supervisor's message to stop. */
export function onStop(stop: () => void): void {
  process.on('message', (message) => {
    if (message === STOP) stop();
  });
}
