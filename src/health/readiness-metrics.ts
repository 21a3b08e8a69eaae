import { Injectable } from '@nestjs/common';
import { Metrics } from './metrics';
import { Readiness } from './readiness';

/** The state that `/health/ready` reports. */
@Injectable()
export class ReadinessMetrics {
  constructor(metrics: Metrics, readiness: Readiness) {
    metrics.gauge({
      name: 'service_ready',
      help: '1 if the service accepts requests; 0 if its database is unavailable or it is shutting down.',
      read: () => (readiness.hindrances.some(({ is }) => is !== undefined) ? 0 : 1),
      together: 'min',
    });
  }
}
