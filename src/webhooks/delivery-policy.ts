const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** When deliveries are tried, and how many at a time. */
export interface DeliveryPolicy {
  /** How long to wait after the first try that failed, after the second, and so on; after one more, it is given up. */
  delaysMs: readonly number[];
  /** What is older than this is given up when it fails, so that a receiver that is gone does not get each event for days. */
  giveUpAfterMs: number;
  /** The most that a receiver's `Retry-After` can ask for. */
  maxRetryAfterMs: number;
  /** A receiver that has not answered by then has failed. */
  timeoutMs: number;
  /** For how long a try belongs to the process that makes it: longer than a try takes. Then it was the end of that process. */
  leaseMs: number;
  /** How often to look for what is due. */
  pollMs: number;
  /** Tries at the same time, of this process. */
  concurrency: number;
  /** Of these, for one webhook: a receiver that is slow does not hold up the others. */
  concurrencyPerWebhook: number;
  /** How long tries may go on when the process is told to stop: less than it has to end, so that they can be given back. */
  stopMs: number;
  /** How often to remove what is over for long. */
  sweepMs: number;
}

export const DELIVERY_POLICY: DeliveryPolicy = {
  delaysMs: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, DAY, DAY, DAY, DAY],
  giveUpAfterMs: 5 * DAY,
  maxRetryAfterMs: DAY,
  timeoutMs: 15 * SECOND,
  leaseMs: MINUTE,
  pollMs: SECOND,
  concurrency: 32,
  concurrencyPerWebhook: 8,
  stopMs: 2 * SECOND,
  sweepMs: MINUTE,
};

/** A try that failed. */
export interface FailedTry {
  /** Tries so far, with this one. */
  attempts: number;
  /** Since the delivery was asked for. */
  ageMs: number;
  /** What the receiver asked for. */
  retryAfterMs?: number;
}

/**
 * How long to wait until the next try; undefined when there is none. It is drawn from the upper half of the delay: so
 * receivers that come back are not met by all at once, and yet the tries stretch over two days at least.
 */
export function retryDelayMs(
  { attempts, ageMs, retryAfterMs = 0 }: FailedTry,
  policy: DeliveryPolicy,
  random = Math.random,
): number | undefined {
  const delay = policy.delaysMs[attempts - 1];
  if (delay === undefined || ageMs >= policy.giveUpAfterMs) return undefined;
  return Math.max((delay * (1 + random())) / 2, Math.min(retryAfterMs, policy.maxRetryAfterMs));
}
