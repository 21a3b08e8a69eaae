import { Injectable } from '@nestjs/common';
import { AccessTokens } from '../auth/access-tokens';
import { Metrics } from './metrics';

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
