import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Histogram } from 'prom-client';
import { RequestsUnderWay } from '../server/requests-under-way';
import { RouteTable } from '../server/route-table';
import { Metrics } from './metrics';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** How long requests take, by route: by its pattern, never by the path, of which there are as many as callers care to ask for. */
@Injectable()
export class RequestMetrics {
  private readonly seconds: Histogram<'method' | 'route' | 'status'>;

  constructor(
    metrics: Metrics,
    requests: RequestsUnderWay,
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
    metrics.counter({
      name: 'http_requests_refused_total',
      help: 'Requests that were answered 503 at once because too many were under way.',
      read: () => requests.refused,
    });
    requests.observe((request, response, seconds) => this.observe(request, response, seconds));
  }

  private observe(request: IncomingMessage, response: ServerResponse, seconds: number): void {
    const route = this.routes.patternOf(request as Request);
    // The verbs of a known route are known; any other verb is one more that callers can choose.
    const method = route === undefined ? 'any' : (request.method ?? 'any');
    const status = response.writableFinished ? String(response.statusCode) : 'left';
    this.seconds.observe({ method, route: route ?? 'unknown', status }, seconds);
  }
}
