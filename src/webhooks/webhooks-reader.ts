import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import type { Webhook } from '../contract/webhooks';
import { toWebhook, WEBHOOK_COLUMNS, type WebhookRow } from './webhook-row';

/** Reads webhooks, never their secrets. */
@Injectable()
export class WebhooksReader {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** All of them, the oldest first. They are few: see `LIMITS.webhooks`. */
  async list(): Promise<Webhook[]> {
    const rows: WebhookRow[] = await this.dataSource.query(
      `SELECT ${WEBHOOK_COLUMNS} FROM webhook_subscriptions ORDER BY created_at, id`,
    );
    return rows.map(toWebhook);
  }

  /** @throws ServiceError `webhook.unknown` */
  async get(id: string): Promise<Webhook> {
    return toWebhook(await requireWebhook(this.dataSource.manager, id));
  }
}

/** The row of a webhook, if there is one, locked until the transaction ends if wanted. */
export async function findWebhook(
  manager: EntityManager,
  id: string,
  lock: 'FOR UPDATE' | '' = '',
): Promise<WebhookRow | undefined> {
  if (!isIdentifier(id)) return undefined;
  const rows: WebhookRow[] = await manager.query(
    `SELECT ${WEBHOOK_COLUMNS} FROM webhook_subscriptions WHERE id = $1 ${lock}`,
    [id],
  );
  return rows[0];
}

/** @throws ServiceError `webhook.unknown` */
export async function requireWebhook(manager: EntityManager, id: string): Promise<WebhookRow> {
  const row = await findWebhook(manager, id);
  if (!row) throw new ServiceError('webhook.unknown');
  return row;
}
