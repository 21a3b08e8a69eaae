import { TokenVerifier } from '@user-administration/access-tokens';
import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { ConnectionPools, ConnectionSlots } from '@user-administration/postgres';
import { DatabaseStartup } from '../database/database-startup';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { OverdueEnds } from '../expiry/overdue-ends';
import { JournalMonths } from '../journal/journal-months';
import { UnsealedChanges } from '../journal/unsealed-changes';
import { BodyMemory, RefusalCounts, RequestsUnderWay, RouteTable, statusOf } from '@user-administration/http';
import { standardOutput } from '@user-administration/http/log';
import { Metrics } from './metrics';
import { Readiness } from './readiness';

const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The metrics of the service itself. */
@Injectable()
export class ServiceMetrics {
  constructor(
    metrics: Metrics,
    requests: RequestsUnderWay,
    routes: RouteTable,
    memory: BodyMemory,
    refusals: RefusalCounts,
    readiness: Readiness,
    pools: ConnectionPools,
    slots: ConnectionSlots,
    transactions: Transactions,
    database: DatabaseStartup,
    changes: ChangeCounts,
    tokens: TokenVerifier,
    months: JournalMonths,
    unsealed: UnsealedChanges,
    overdue: OverdueEnds,
  ) {
    const registers = [metrics.registry];
    const requestSeconds = new Histogram({
      name: 'http_request_duration_seconds',
      help:
        'Time from the headers of a request to the end of its answer. The status "left" means ' +
        'that the caller disconnected before.',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    });
    requests.observe((request, response, seconds) => {
      // Labels have a closed set of values, because callers can send any path and method.
      const [method, route] = [routes.methodOf(request), routes.patternOf(request)];
      requestSeconds.observe({ method, route, status: statusOf(request, response) ?? 'left' }, seconds);
    });
    new Counter({
      name: 'http_requests_refused_total',
      help: 'Requests that were answered with an error, by its code. This includes failures of the service.',
      labelNames: ['code'],
      registers,
      collect() {
        this.reset();
        refusals.byCode.forEach((count, code) => this.inc({ code }, count));
      },
    });
    const statementSeconds = new Histogram({
      name: 'database_statement_duration_seconds',
      help: 'Duration of a statement, without the wait for a connection.',
      buckets: [...REQUEST_BUCKETS, 60],
      registers,
    });
    pools.onAnswered = statementSeconds.observe.bind(statementSeconds);

    metrics.gauges({
      service_ready: [
        '1 if the service accepts requests; 0 if its database is unavailable or it is shutting down.',
        () => (readiness.notReadyReasons.length === 0 ? 1 : 0),
      ],
      http_requests_under_way: ['Requests in progress.', () => requests.responses.length],
      http_request_bodies_bytes: ['Memory for the bodies of requests in progress.', () => memory.held],
      database_ready: [
        '1 if the database answers and its schema is in place, otherwise 0.',
        () => (database.notReadyReason === undefined ? 1 : 0),
      ],
      database_connections_busy: ['Connections of the pool that are in use.', () => pools.use.busy],
      database_connections_idle: ['Connections of the pool that are free.', () => pools.use.idle],
      database_connection_waiters: [
        'Units of work that are waiting for a connection.',
        () => pools.use.waiting + slots.waiting,
      ],
    });
    metrics.counters({
      log_lines_dropped_total: [
        'Lines of the log that were dropped because standard output could not be written.',
        () => standardOutput.dropped,
      ],
      database_connection_refusals_total: [
        'Units of work that were refused, because the queue for a connection was full or they waited too long.',
        () => pools.refused,
      ],
      transaction_retries_total: [
        'Retries of units of work after a conflict with another transaction.',
        () => transactions.retries,
      ],
      user_assignments_total: [
        'Users who were added to a workspace or group; counted once per request.',
        () => changes.assignments,
      ],
      user_unassignments_total: [
        'Users who were removed from a workspace or group; counted once per request.',
        () => changes.unassignments,
      ],
      user_status_changes_total: ['Users whose status changed.', () => changes.statuses],
      user_type_changes_total: ['Users whose type changed, for any reason.', () => changes.types],
      jwks_fetch_failures_total: [
        'Failed fetches of the JSON Web Key Set. Known keys remain valid meanwhile.',
        () => tokens.keySetFailures,
      ],
    });
    metrics.gaugesOf<{ ahead: number }>(() => months.read(), {
      ahead: {
        name: 'journal_months_ahead',
        help: 'Months, from this one on, for which the journal has a partition. `user-admin migrate` makes 36.',
      },
    });
    metrics.gaugesOf<{ ageSeconds: number }>(() => unsealed.read(), {
      ageSeconds: {
        name: 'journal_unsealed_age_seconds',
        help:
          'Age of the oldest change that was committed and that the journal has not sealed; 0 if ' +
          'there is none. Nobody is told of it.',
      },
    });
    metrics.gaugesOf<{ overdue: number }>(() => overdue.read(), {
      overdue: {
        name: 'service_overdue_ends',
        help:
          'Ends of accounts and memberships that passed more than five seconds ago and are not carried out: refused, ' +
          'because no active administrator would be left, or of users who are busy.',
      },
    });
  }
}
