import { once, setMaxListeners } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { HTTP_OPTIONS, type HttpOptions } from './options';
import { isPipelined } from './pipelined-requests';
import { giveId, type IdentifiedRequest } from './request-id';

/** How long idle connections may still send a request before they are closed. */
const LINGER_MS = 500;

const READS = ['GET', 'HEAD', 'OPTIONS'];

/** Called once for each request, when its response is complete or its connection has ended. */
export type RequestObserver = (request: IdentifiedRequest, response: ServerResponse, seconds: number) => void;

/**
 * The requests that are in progress in this process, so that it can stop without dropping one.
 *
 * @example
 * await app.get(RequestsUnderWay).drain();
 * await app.close();
 */
@Injectable()
export class RequestsUnderWay implements OnApplicationBootstrap {
  private readonly open: ServerResponse[] = [];
  private readonly observers: RequestObserver[] = [];
  private draining_: Promise<void> | undefined;
  private readonly closing_ = new AbortController();
  private isHangingUp = false;
  private connections = 0;
  private readonly sockets = new Set<Socket>();

  constructor(
    private readonly adapter: HttpAdapterHost,
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
  ) {
    // Each waiting follower of the journal listens to it.
    setMaxListeners(0, this.closing_.signal);
  }

  get responses(): readonly ServerResponse[] {
    return this.open;
  }

  /** Whether this process is stopping, and should receive no more requests. */
  get draining(): boolean {
    return this.draining_ !== undefined;
  }

  /**
   * Aborted when this process stops accepting connections. Responses that wait for something should then be sent at
   * once.
   */
  get closing(): AbortSignal {
    return this.closing_.signal;
  }

  observe(observer: RequestObserver): void {
    this.observers.push(observer);
  }

  /** Calls the listener after each request that may have committed a change. */
  observeChanges(listener: () => void): void {
    this.observe(({ method = '' }, { statusCode }) => {
      if (!READS.includes(method) && statusCode < 300) listener();
    });
  }

  onApplicationBootstrap(): void {
    this.server.on('connection', (socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    // Registered before Express, which belongs to the duration of a request.
    this.server.prependListener('request', (request, response) => this.follow(request, response));
  }

  /**
   * First the process reports that it is not ready and continues to serve, so that load balancers can notice. Then it
   * accepts no more connections, and each response asks its caller to close the connection; if this side closed it, the
   * connection could break while its next request is on the way. Finally it waits for the requests in progress.
   */
  drain(): Promise<void> {
    return (this.draining_ ??= this.finish());
  }

  private async finish(): Promise<void> {
    await delay(this.options.httpBounds.drainMs);
    await this.acceptPending();
    const closed = once(this.server, 'close');
    // HTTP's `close` would end every idle connection at once.
    NetServer.prototype.close.call(this.server);
    this.closing_.abort();
    this.open.forEach(askToClose);
    await Promise.race([closed, delay(LINGER_MS, undefined, { ref: false })]);
    this.isHangingUp = true;
    this.server.closeIdleConnections();
    // Node takes a connection on which nothing has come for one that is busy. `fetch` opens one in place of each that
    // it aborts.
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
    await closed;
  }

  /**
   * Accepts pending connections, which would otherwise be reset. The event loop accepts one in each iteration, so one
   * without a new connection means that none is left.
   */
  private async acceptPending(): Promise<void> {
    const end = performance.now() + LINGER_MS;
    for (let before = -1; before < this.connections && performance.now() < end;) {
      before = this.connections;
      await setImmediate();
    }
  }

  private follow(request: IncomingMessage, response: ServerResponse): void {
    // Nobody handles these.
    if (request.socket.destroyed || isPipelined(response)) return;
    const began = performance.now();
    const identified = giveId(request, response);
    this.open.push(response);
    if (this.closing.aborted) askToClose(response);
    response.once('close', () => {
      this.open.splice(this.open.indexOf(response), 1);
      // A response whose headers were already sent has not asked its caller to close the connection.
      if (this.isHangingUp) this.server.closeIdleConnections();
      const seconds = (performance.now() - began) / 1000;
      for (const observe of this.observers) observe(identified, response, seconds);
    });
  }

  private get server(): Server {
    return this.adapter.httpAdapter.getHttpServer() as Server;
  }
}

function askToClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
