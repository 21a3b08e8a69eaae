import { Injectable } from '@nestjs/common';
import { Histogram } from 'prom-client';
import { DatabaseStartup } from '../database/database-startup';
import { Transactions } from '../database/transactions';
import { CallerTurns } from '../database/caller-turns';
import { ConnectionPools } from '../database/connection-pools';
import { Metrics } from './metrics';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

@Injectable()
export class DatabaseMetrics {
  constructor(
    metrics: Metrics,
    pools: ConnectionPools,
    turns: CallerTurns,
    transactions: Transactions,
    connection: DatabaseStartup,
  ) {
    const seconds = new Histogram({
      name: 'database_statement_duration_seconds',
      help: 'Duration of a statement, without the wait for a connection.',
      buckets: BUCKETS,
      registers: [metrics.registry],
    });
    pools.onAnswered = (duration) => seconds.observe(duration);
    metrics.gauge('database_ready', '1 if the database answers and its schema is in place, otherwise 0.', () =>
      connection.hindrance === undefined ? 1 : 0,
    );
    metrics.gauge('database_connections_busy', 'Connections of the pool that are in use.', () => pools.use.busy);
    metrics.gauge('database_connections_idle', 'Connections of the pool that are free.', () => pools.use.idle);
    metrics.gauge(
      'database_connection_waiters',
      'Units of work that are waiting for a connection.',
      () => pools.use.waiting + turns.waiting,
    );
    metrics.counter(
      'database_connection_refusals_total',
      'Units of work that were refused, because the queue for a connection was full or they waited too long.',
      () => pools.refused,
    );
    metrics.counter(
      'transaction_retries_total',
      'Retries of units of work after a conflict with another transaction.',
      () => transactions.retries,
    );
  }
}
