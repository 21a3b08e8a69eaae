const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** When deliveries are attempted, and how many concurrently. */
export interface DeliveryPolicy {
  /**
   * The delay after the first failed attempt, after the second, and so on. The attempt after the last delay is the last
   * one.
   */
  delaysMs: readonly number[];
  /**
   * A delivery older than this fails for good with its next failure, so that a dead receiver is not sent every event
   * for days.
   */
  giveUpAfterMs: number;
  /** The longest `Retry-After` of a receiver that is honored. */
  maxRetryAfterMs: number;
  /** The timeout of an attempt. */
  timeoutMs: number;
  /**
   * How long an attempt belongs to its process. It is longer than any attempt takes, so a lease that ends means that
   * the process died.
   */
  leaseMs: number;
  /** How often to poll for due deliveries. */
  pollMs: number;
  /** Deliveries that one poll claims. */
  claimedAtOnce: number;
  /**
   * Concurrent attempts of this process for one webhook. There is no other limit on attempts, so receivers that do not
   * answer cannot delay others: `WEBHOOK_LIMITS.webhooks` bounds all of them together.
   */
  concurrencyPerWebhook: number;
  /** How long attempts may continue while the process stops. It leaves time to release their deliveries. */
  stopMs: number;
  /** How often to remove old deliveries. */
  sweepMs: number;
}

export const DELIVERY_POLICY: DeliveryPolicy = {
  delaysMs: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, DAY, DAY, DAY, DAY],
  giveUpAfterMs: 5 * DAY,
  maxRetryAfterMs: DAY,
  timeoutMs: 15 * SECOND,
  leaseMs: MINUTE,
  pollMs: SECOND,
  claimedAtOnce: 32,
  concurrencyPerWebhook: 8,
  stopMs: 2 * SECOND,
  sweepMs: MINUTE,
};

/**
 * Whether an answer disables the webhook until an administrator enables it again: 410 (Gone) does. No number of
 * failures disables a webhook.
 */
export const disablesWebhook = (status: number): boolean => status === 410;

/** A failed attempt. */
interface FailedAttempt {
  /** Attempts so far, including this one. */
  attempts: number;
  /** Time since the delivery was requested. */
  ageMs: number;
  /** The receiver's `Retry-After`. */
  retryAfterMs?: number;
}

/**
 * The delay until the next attempt, or undefined if this was the last one. It is random in the upper half of the
 * nominal delay, so that a receiver that recovers does not get all retries at once, and the attempts still span at
 * least two days.
 */
export function retryDelayMs(
  { attempts, ageMs, retryAfterMs = 0 }: FailedAttempt,
  policy: DeliveryPolicy,
  random = Math.random,
): number | undefined {
  const delay = policy.delaysMs[attempts - 1];
  if (delay === undefined || ageMs >= policy.giveUpAfterMs) return undefined;
  return Math.max((delay * (1 + random())) / 2, Math.min(retryAfterMs, policy.maxRetryAfterMs));
}
