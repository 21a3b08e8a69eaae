import { createServer, type ServerOptions } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import type { HttpBounds } from '../config/bounds';
import { expressPrototypes } from './express-prototypes';

/** Whoever is too slow is found out this often. */
const CHECK_EVERY_MS = 2_000;
/** What Node allows by default, said in so many words: the largest token of an identity provider fits several times. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Express on a server that gives nobody more time than the configuration does. */
export class BoundedExpressAdapter extends ExpressAdapter {
  private readonly bounds: ServerOptions;

  constructor({ headersMs, requestMs, keepAliveMs }: HttpBounds) {
    super();
    this.bounds = {
      headersTimeout: Math.min(headersMs, requestMs),
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, headersMs, requestMs),
      maxHeaderSize: MAX_HEADER_BYTES,
    };
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const server = createServer({ ...this.bounds, ...expressPrototypes(app), requireHostHeader: false }, app);
    // Node would refuse an expectation that it does not know without a word; RFC 9110 section 10.1.1 lets us pass over it.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    this.httpServer = server;
  }
}
