import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CONFIG, type Config } from '../config/config';
import { giveId, type IdentifiedRequest } from './request-id';

/** How long a connection without a request is given to send one more, which is told to be its last. */
const LINGER_MS = 500;

/** Called once for each request, when its answer has gone out or its connection has ended. */
export type RequestObserver = (request: IdentifiedRequest, response: ServerResponse, seconds: number) => void;

/**
 * Every request that this process has not answered yet, so that the process can stop without dropping one.
 *
 * @example
 * await app.get(RequestsUnderWay).drain();
 * await app.close();
 */
@Injectable()
export class RequestsUnderWay implements OnApplicationBootstrap {
  private readonly open = new Set<ServerResponse>();
  private readonly observers: RequestObserver[] = [];
  private draining_: Promise<void> | undefined;
  private readonly closing_ = new AbortController();
  private isHangingUp = false;
  private connections = 0;

  constructor(
    private readonly adapter: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The responses to these requests. */
  get responses(): ReadonlySet<ServerResponse> {
    return this.open;
  }

  get count(): number {
    return this.open.size;
  }

  /** Whether this process is about to stop, and should be sent nothing more. */
  get draining(): boolean {
    return this.draining_ !== undefined;
  }

  /** Aborted when this process takes no more connections. Answers that wait for something should then be given at once. */
  get closing(): AbortSignal {
    return this.closing_.signal;
  }

  observe(observer: RequestObserver): void {
    this.observers.push(observer);
  }

  onApplicationBootstrap(): void {
    this.server.on('connection', () => (this.connections += 1));
    // Before the request waits for its turn, and before Express: both are part of the time that it takes.
    this.server.prependListener('request', (request, response) => this.follow(request, response));
  }

  /**
   * First reports that it is not ready, and goes on serving, so that load balancers can notice. Then takes no more connections, and
   * asks with every answer for open ones to be closed: closed from this side, one could be cut while its next request is on its
   * way. Last it waits for the answers that are under way.
   */
  drain(): Promise<void> {
    return (this.draining_ ??= this.finish());
  }

  private async finish(): Promise<void> {
    await delay(this.config.httpBounds.drainMs);
    await this.acceptPending();
    const closed = once(this.server, 'close');
    // HTTP's own `close` would cut every connection that is idle.
    NetServer.prototype.close.call(this.server);
    this.closing_.abort();
    for (const response of this.open) askToClose(response);
    await delay(LINGER_MS);
    this.isHangingUp = true;
    this.server.closeIdleConnections();
    await closed;
  }

  /** A connection that has not been accepted yet would be reset. The event loop accepts one in each turn, so a turn without one is the end. */
  private async acceptPending(): Promise<void> {
    const end = performance.now() + LINGER_MS;
    for (let before = -1; before < this.connections && performance.now() < end;) {
      before = this.connections;
      await setImmediate();
    }
  }

  private follow(request: IncomingMessage, response: ServerResponse): void {
    // See `inTurn`: it does not take requests of a connection that has been closed.
    if (request.socket.destroyed) return;
    const began = performance.now();
    const identified = giveId(request, response);
    this.open.add(response);
    if (this.closing.aborted) askToClose(response);
    // Emitted exactly once, see `inTurn`.
    response.once('close', () => {
      this.open.delete(response);
      // A response whose headers had gone out was not asked to close its connection.
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
