import { Injectable } from '@nestjs/common';
import { Metrics } from '../door';
import { type Backlog, DeliveryBacklog } from './delivery-backlog';

/** The metrics of webhooks. */
@Injectable()
export class DeliveryMetrics {
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
