import { setTimeout as delay } from 'node:timers/promises';
import { CannotWriteError } from './database-errors';
import type { DatabaseClient } from './database-client';

/** How long a silent server delays the servers that are listed after it. */
const HEAD_START_MS = 500;

/**
 * Connects to the first usable server in the order of the list. It tries all servers concurrently, because one whose
 * machine is gone never answers.
 *
 * `requireUsable` in `session-check.ts` decides whether a server can write: its `transaction_read_only` must be off. A
 * standby fails this check while it connects, like a server that is away.
 *
 * @throws CannotWriteError when some answer, and none of them can write
 */
export async function findServer(
  clients: readonly DatabaseClient[],
): Promise<{ client: DatabaseClient; index: number }> {
  const tries = clients.map((client) => client.connect());
  const inOrder = tries.map(async (connecting, index) => {
    await connecting;
    await Promise.race([Promise.allSettled(tries.slice(0, index)), delay(HEAD_START_MS, undefined, { ref: false })]);
    return index;
  });
  try {
    const index = await Promise.any(inOrder);
    const client = clients[index] as DatabaseClient;
    for (const other of clients) if (other !== client) other.hangUp();
    return { client, index };
  } catch (error) {
    const failures = (error as AggregateError).errors as Error[];
    throw failures.find((failure) => failure instanceof CannotWriteError) ?? (failures[0] as Error);
  }
}
