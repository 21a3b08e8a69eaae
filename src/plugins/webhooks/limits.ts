/** The limits of webhooks. */
export const WEBHOOK_LIMITS = {
  /** All webhooks together. */
  webhooks: 100,
  /** UTF-16 units of an address. */
  url: 2_048,
  /** Deliveries on one page. */
  deliveriesPage: 200,
} as const;
