import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { JOIN_PERSONAL, Sealer, ServiceError } from '../door';
import type { WebhookDeliveryState } from './webhook-types';
import { deliveryId, type DeliveryKey, entryOfDelivery } from './delivery-id';
import type { DeliveriesQueryDto } from './dto/deliveries-query.dto';
import type { DeliveriesPageDto, DeliveryDto, DeliveryWithBodyDto } from './dto/delivery.dto';
import { EVENT_COLUMNS, EVENT_USER, type EventRow, JOIN_CHANGE, webhookEvent } from './webhook-event';
import { WebhookSubscription } from './webhook-subscription.entity';
import { requireWebhook } from './webhooks-reader';
import { WEBHOOK_ERRORS } from './errors';

interface DeliveryRow extends Pick<EventRow, 'action' | 'user_id'> {
  subscription_id: string;
  entry_id: string;
  state: WebhookDeliveryState;
  attempts: number;
  created_at: Date;
  next_attempt_at: Date;
  lease: string | null;
  last_attempt_at: Date | null;
  last_status: number | null;
  last_error: string | null;
  finished_at: Date | null;
}

/** Reads the deliveries of a webhook. */
@Injectable()
export class DeliveriesReader {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sealer: Sealer,
  ) {}

  /**
   * Newest first, with those of the changes that were answered before, unless more follow than one slice of the journal
   * has. Deliveries that arrive meanwhile are newer than any page already read.
   *
   * @throws ServiceError `webhook.unknown`; `query.invalid` for a cursor that is not of this webhook
   */
  async page(webhookId: string, { state, limit, cursor }: DeliveriesQueryDto): Promise<DeliveriesPageDto> {
    await requireWebhook(this.dataSource.getRepository(WebhookSubscription), webhookId);
    const before = cursor === undefined ? null : entryOfDelivery(cursor, webhookId);
    if (before === undefined) throw new ServiceError('query.invalid', { args: { name: 'cursor' } });
    if (before === null) {
      await this.sealer.seal();
      await this.dataSource.query('SELECT expand_deliveries($1)', [webhookId]);
    }
    // Without the facts of the events, which can be large.
    const rows = await find<DeliveryRow>(
      this.dataSource.manager,
      `change.action, ${EVENT_USER}`,
      `delivery.subscription_id = $1 AND delivery.state = COALESCE($2, delivery.state)
        AND delivery.entry_id < COALESCE($3, 9223372036854775807)`,
      [webhookId, state ?? null, before],
      limit + 1,
    );
    const deliveries = rows.slice(0, limit).map(toDelivery);
    return { deliveries, next: rows.length > limit ? (deliveries.at(-1)?.id ?? null) : null };
  }

  /** @throws ServiceError `webhook.unknown`, `webhook_delivery.unknown` */
  async get(
    webhookId: string,
    id: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<DeliveryWithBodyDto> {
    await requireWebhook(manager.getRepository(WebhookSubscription), webhookId);
    const entryId = entryOfDelivery(id, webhookId);
    const [row] =
      entryId === undefined
        ? []
        : await find<DeliveryRow & EventRow>(
            manager,
            EVENT_COLUMNS,
            'delivery.subscription_id = $1 AND delivery.entry_id = $2',
            [webhookId, entryId],
            1,
          );
    if (!row) throw WEBHOOK_ERRORS.refusal('webhook_delivery.unknown');
    return { ...toDelivery(row), body: webhookEvent(keyOf(row), row) };
  }
}

function find<Row extends DeliveryRow>(
  manager: EntityManager,
  event: string,
  condition: string,
  parameters: unknown[],
  limit: number,
): Promise<Row[]> {
  return manager.query(
    `SELECT subscription_id, entry_id, state, attempts, created_at,
       GREATEST(next_attempt_at, asked_at) AS next_attempt_at, lease, last_attempt_at, last_status,
       last_error, finished_at, ${event}
     FROM webhook_deliveries AS delivery ${JOIN_CHANGE} ${JOIN_PERSONAL}
     WHERE ${condition} ORDER BY delivery.entry_id DESC LIMIT ${limit}`,
    parameters,
  );
}

function keyOf({ subscription_id: subscriptionId, entry_id: entryId }: DeliveryRow): DeliveryKey {
  return { subscriptionId, entryId };
}

function toDelivery(row: DeliveryRow): DeliveryDto {
  return {
    id: deliveryId(keyOf(row)),
    event: row.action,
    user: row.user_id,
    state: row.state,
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    lastAttemptAt: row.last_attempt_at?.toISOString() ?? null,
    lastStatus: row.last_status,
    lastError: row.last_error,
    nextAttemptAt: row.state === 'pending' && row.lease === null ? row.next_attempt_at.toISOString() : null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
