import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { eventually } from './eventually';

/** A stranger that listens on the port may never answer. Neither bound is a measure of speed. */
const CONNECT_MS = 5_000;
const PATIENCE_MS = 90_000;

export function clientOf(url: string, connectMs = CONNECT_MS): Client {
  return new Client({ connectionString: url, connectionTimeoutMillis: connectMs });
}

/**
 * Returns when a server takes connections.
 *
 * @param log the file of its output
 * @throws with the end of its log if it ends or does not answer
 */
export async function untilConnected(
  server: ChildProcess,
  url: string,
  log: string,
  { connectMs = CONNECT_MS, patienceMs = PATIENCE_MS } = {},
): Promise<void> {
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  const bounds = { pauseMs: 10, patienceMs, isOver: hasEnded };
  await eventually(() => connectOnce(clientOf(url, connectMs)), bounds).catch((cause: unknown) => {
    const what = hasEnded() ? 'has ended' : `has not answered within ${patienceMs / 1_000} s`;
    throw new Error(`The server at ${new URL(url).host} ${what}:\n${readFileSync(log, 'utf8').slice(-2_000)}`, {
      cause,
    });
  });
}

async function connectOnce(client: Client): Promise<void> {
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
}
