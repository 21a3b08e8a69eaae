import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { BodyMemory } from '../server/body-memory';
import { RefusalCounts } from '../server/refusal-counts';
import { statusOf } from '../server/request-log';
import { RequestsUnderWay } from '../server/requests-under-way';
import { RouteTable } from '../server/route-table';
import { Metrics } from './metrics';
import { Readiness } from './readiness';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Whether requests are accepted, their duration, and the number of refusals. Labels have a closed set of values, because callers can send
 * any path and method.
 */
@Injectable()
export class RequestMetrics {
  private readonly seconds: Histogram<'method' | 'route' | 'status'>;

  constructor(
    metrics: Metrics,
    requests: RequestsUnderWay,
    memory: BodyMemory,
    refusals: RefusalCounts,
    readiness: Readiness,
    private readonly routes: RouteTable,
  ) {
    this.seconds = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the headers of a request to the end of its answer. The status "left" means that the caller disconnected before.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [metrics.registry],
    });
    metrics.gauge(
      'service_ready',
      '1 if the service accepts requests; 0 if its database is unavailable or it is shutting down.',
      () => (readiness.hindrances.length === 0 ? 1 : 0),
    );
    metrics.gauge('http_requests_under_way', 'Requests in progress.', () => requests.count);
    metrics.gauge('http_request_bodies_bytes', 'Memory for the bodies of requests in progress.', () => memory.held);
    new Counter({
      name: 'http_requests_refused_total',
      help: 'Requests that were answered with an error, by its code. This includes failures of the service.',
      labelNames: ['code'],
      registers: [metrics.registry],
      collect() {
        this.reset();
        refusals.byCode.forEach((count, code) => this.inc({ code }, count));
      },
    });
    requests.observe((request, response, seconds) => this.observe(request, response, seconds));
  }

  private observe(request: IncomingMessage, response: ServerResponse, seconds: number): void {
    const [method, route] = [this.routes.methodOf(request), this.routes.patternOf(request)];
    const status = statusOf(request, response) ?? 'left';
    this.seconds.observe({ method, route, status }, seconds);
  }
}
