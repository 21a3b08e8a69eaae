import { Injectable } from '@nestjs/common';
import { prepared } from '../database/prepared-statements';
import { ReservedStatements } from '../database/reserved-statements';

/** Deliveries that are counted for each webhook and state: a scrape must stay cheap however much is due. */
const COUNTED = 10_000;

/**
 * Reads two partial indexes, no table. A disabled webhook has no backlog: what is queued for it waits for an administrator.
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

/** How far deliveries are behind, over all webhooks. */
export interface Backlog {
  /** Neither delivered nor given up. */
  pending: number;
  /** Of the oldest of these; 0 if there is none. */
  oldestSeconds: number;
  /** Given up, of those that are kept. */
  failed: number;
}

@Injectable()
export class DeliveryBacklog {
  // Metrics are asked for when every connection is in use, too.
  constructor(private readonly statements: ReservedStatements) {}

  async read(): Promise<Backlog> {
    const [backlog] = await this.statements.query<[Backlog]>(BACKLOG);
    return backlog;
  }
}
