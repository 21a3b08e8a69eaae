import { Injectable } from '@nestjs/common';
import { AccessTokens } from '../auth/access-tokens';
import { Metrics } from './metrics';

/** Whether the key set can be fetched. */
@Injectable()
export class KeySetMetrics {
  constructor(metrics: Metrics, tokens: AccessTokens) {
    metrics.counter({
      name: 'jwks_fetch_failures_total',
      help: 'Failed fetches of the JSON Web Key Set. Known keys remain valid meanwhile.',
      read: () => tokens.keySetFailures,
    });
  }
}
