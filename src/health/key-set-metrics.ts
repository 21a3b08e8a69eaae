import { Injectable } from '@nestjs/common';
import { AccessTokens } from '../auth/access-tokens';
import { Metrics } from './metrics';

@Injectable()
export class KeySetMetrics {
  constructor(metrics: Metrics, tokens: AccessTokens) {
    metrics.counter(
      'jwks_fetch_failures_total',
      'Failed fetches of the JSON Web Key Set. Known keys remain valid meanwhile.',
      () => tokens.keySetFailures,
    );
  }
}
