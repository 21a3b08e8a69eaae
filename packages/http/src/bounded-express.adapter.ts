import { createServer, type ServerOptions } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import type { HttpBounds } from './options';
import { expressPrototypes } from './express-prototypes';
import { oneAtATime } from './pipelined-requests';

/** How often slow callers are detected. */
const CHECK_EVERY_MS = 2_000;

/**
 * Express on a server with the configured limits for callers, which handles one request of a connection at a time.
 * Paths are case-sensitive: the id `Status-Assign` is not the operation `status-assign`, and a proxy that hides
 * `/metrics` hides all of it.
 */
export class BoundedExpressAdapter extends ExpressAdapter {
  private readonly bounds: ServerOptions;

  constructor({ headersMs, requestMs, keepAliveMs, headerBytes }: HttpBounds) {
    super(caseSensitive());
    this.bounds = {
      headersTimeout: Math.min(headersMs, requestMs),
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, headersMs, requestMs),
      maxHeaderSize: headerBytes,
    };
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const server = createServer(
      { ...this.bounds, ...expressPrototypes(app), requireHostHeader: false },
      oneAtATime(app),
    );
    // By default Node drops all headers after the first thousand, such as a second `Host` or `If-Match`. Their size
    // bounds the work.
    server.maxHeadersCount = 0;
    // Node would refuse unknown expectations without a body. RFC 9110 section 10.1.1 permits ignoring them.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    // Node would request the body at once. Here it is requested when it is read, after the guards.
    server.on('checkContinue', (request, response) => server.emit('request', request, response));
    this.httpServer = server;
  }
}

/**
 * The setting must come first: the constructor of Nest's adapter makes Express create its router, which keeps the
 * setting.
 */
function caseSensitive(): Express {
  return express().enable('case sensitive routing');
}
