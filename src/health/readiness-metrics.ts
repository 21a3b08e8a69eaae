import { Injectable } from '@nestjs/common';
import { Metrics } from './metrics';
import { Readiness } from './readiness';

/** The state that `/health/ready` reports. */
@Injectable()
export class ReadinessMetrics {
  constructor(metrics: Metrics, readiness: Readiness) {
    metrics.gauge({
      name: 'service_ready',
      help: '1 while the service can be sent requests, else 0: its database is away, or it has been told to stop.',
      read: () => (readiness.hindrances.some(({ is }) => is !== undefined) ? 0 : 1),
      together: 'min',
    });
  }
}
