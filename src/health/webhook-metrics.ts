import { Injectable } from '@nestjs/common';
import { type Backlog, DeliveryBacklog } from '../webhooks/delivery-backlog';
import { Metrics } from './metrics';

/** The backlog of webhooks, with one query for each scrape. */
@Injectable()
export class WebhookMetrics {
  constructor(metrics: Metrics, backlog: DeliveryBacklog) {
    metrics.gaugesOf<Backlog>(() => backlog.read(), {
      pending: {
        name: 'webhook_deliveries_pending',
        help: 'Deliveries of enabled webhooks that are neither delivered nor given up; at most 10,000 of each webhook are counted.',
      },
      oldestSeconds: {
        name: 'webhook_oldest_pending_age_seconds',
        help: 'Age of the oldest of these deliveries, since it was asked for.',
      },
      failed: {
        name: 'webhook_deliveries_failed',
        help: 'Deliveries that were given up, of the last thirty days; at most 10,000 of each webhook are counted.',
      },
    });
  }
}
