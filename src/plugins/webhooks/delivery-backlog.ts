import { Injectable } from '@nestjs/common';
import { prepared, ReservedStatements } from '@user-administration/postgres';

/**
 * The maximum number of deliveries that are counted for each webhook and state, so that a scrape is cheap with any
 * backlog.
 */
const COUNTED = 10_000;

/**
 * Reads two partial indexes and no table. A disabled webhook has no backlog: its deliveries wait for an administrator.
 */
const BACKLOG = prepared(
  'delivery_backlog',
  `SELECT COALESCE(sum(pending.count), 0)::integer AS pending, COALESCE(sum(failed.count), 0)::integer AS failed,
     COALESCE(extract(epoch FROM now() - min(pending.oldest)), 0)::float8 AS "oldestSeconds"
   FROM webhook_subscriptions AS subscription
   CROSS JOIN LATERAL (
     SELECT count(*), min(asked_at) AS oldest FROM (
       SELECT asked_at FROM webhook_deliveries
       WHERE subscription.enabled AND subscription_id = subscription.id AND state IN ('pending', 'waiting')
       ORDER BY asked_at LIMIT ${COUNTED}) AS counted
   ) AS pending
   CROSS JOIN LATERAL (
     SELECT count(*) FROM (
       SELECT FROM webhook_deliveries WHERE subscription_id = subscription.id AND state = 'failed'
       LIMIT ${COUNTED}) AS counted
   ) AS failed`,
);

/** The backlog of deliveries of all webhooks. */
export interface Backlog {
  /** Neither delivered nor permanently failed. */
  pending: number;
  /** Age of the oldest of these; 0 if there is none. */
  oldestSeconds: number;
  /** Permanently failed, and not yet removed. */
  failed: number;
}

@Injectable()
export class DeliveryBacklog {
  // Metrics must also be available while every connection is in use.
  constructor(private readonly statements: ReservedStatements) {}

  async read(): Promise<Backlog> {
    const [backlog] = await this.statements.query<[Backlog]>(BACKLOG);
    return backlog;
  }
}
