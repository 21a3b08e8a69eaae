/** The port stays open while no worker is left, and then nobody answers. */
const ANSWER_WITHIN_MS = 30_000;

/** Variables for a service with two workers. */
export function twoWorkersOn({ url }: { url: string }): Record<string, string> {
  return {
    WORKERS: '2',
    LOG_LEVEL: 'info',
    FAIR_USE_PER_CALLER: '0',
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: '2',
    JWT_SECRET: 'a secret for these tests, of more than 32 bytes',
    SHUTDOWN_DRAIN_MS: '100',
  };
}

/** A connection of its own for a request, which any worker may take. */
export function alone(headers: Record<string, string> = {}): RequestInit {
  return { headers: { connection: 'close', ...headers }, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) };
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
