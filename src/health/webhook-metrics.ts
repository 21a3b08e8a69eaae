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
        help: 'Unfinished deliveries of enabled webhooks; at most 10,000 of each webhook are counted.',
      },
      oldestSeconds: {
        name: 'webhook_oldest_pending_age_seconds',
        help: 'Age of the oldest of these deliveries, since its creation or last replay.',
      },
      failed: {
        name: 'webhook_deliveries_failed',
        help: 'Deliveries of the last 30 days that were given up; at most 10,000 of each webhook are counted.',
      },
    });
  }
}
