import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { BodyMemory } from '../server/body-memory';
import { RefusalCounts } from '../server/refusal-counts';
import { statusOf } from '../server/request-log';
import { RequestsUnderWay } from '../server/requests-under-way';
import { RouteTable } from '../server/route-table';
import { Metrics } from './metrics';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * The duration of requests, and the number of refusals. Labels have a closed set of values, because callers can send
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
    private readonly routes: RouteTable,
  ) {
    this.seconds = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the headers of a request to the end of its answer. A caller that left before has the status "left".',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [metrics.registry],
    });
    metrics.gauge({
      name: 'http_requests_under_way',
      help: 'Requests that are being answered.',
      read: () => requests.count,
    });
    metrics.gauge({
      name: 'http_request_bodies_bytes',
      help: 'Memory that the bodies of requests under way take.',
      read: () => memory.held,
    });
    new Counter({
      name: 'http_requests_refused_total',
      help: 'Requests that were refused, by the code of the refusal. Failures of the service are among them.',
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
