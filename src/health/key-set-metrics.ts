import { Injectable } from '@nestjs/common';
import { AccessTokens } from '../auth/access-tokens';
import { Metrics } from './metrics';

/** Whether the key set can be fetched. */
@Injectable()
export class KeySetMetrics {
  constructor(metrics: Metrics, tokens: AccessTokens) {
    metrics.counter({
      name: 'jwks_fetch_failures_total',
      help: 'Fetches of the JSON Web Key Set that failed. Known keys go on working meanwhile.',
      read: () => tokens.keySetFailures,
    });
  }
}
