import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CONFIG, type Config } from '../config/config';

/** How long a connection without a request has for one more, which is told to be its last. */
const LINGER_MS = 500;

/** Told of each request when its answer has gone out, or its caller has. */
export type RequestObserver = (request: IncomingMessage, response: ServerResponse, seconds: number) => void;

/**
 * Every request that this process is answering, so that it can stop without dropping one.
 *
 * @example
 * await app.get(RequestsUnderWay).drain();
 * await app.close();
 */
@Injectable()
export class RequestsUnderWay implements OnApplicationBootstrap {
  private readonly responses = new Set<ServerResponse>();
  private readonly admitted = new Set<ServerResponse>();
  private readonly observers: RequestObserver[] = [];
  /** Requests that found no place. */
  refused = 0;
  private draining_: Promise<void> | undefined;
  private isClosing = false;
  private isHangingUp = false;
  private connections = 0;

  constructor(
    private readonly adapter: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  get count(): number {
    return this.responses.size;
  }

  /** Whether this process is about to stop, and should be sent nothing more. */
  get draining(): boolean {
    return this.draining_ !== undefined;
  }

  /** Gives a request a place until it is answered, unless all of them are taken. */
  admit(response: ServerResponse, places: number): boolean {
    if (this.admitted.size >= places) {
      this.refused += 1;
      return false;
    }
    this.admitted.add(response);
    return true;
  }

  /** Gives the place back before the answer. */
  leave(response: ServerResponse): void {
    this.admitted.delete(response);
  }

  observe(observer: RequestObserver): void {
    this.observers.push(observer);
  }

  onApplicationBootstrap(): void {
    this.server.on('connection', () => (this.connections += 1));
    // Before Express, so that the time it takes is counted, too.
    this.server.prependListener('request', (request, response) => this.follow(request, response));
  }

  /**
   * First says that it is not ready, and goes on as ever, so that whoever sends requests here can notice. Then takes no more
   * connections, and asks with every answer for those that there are to be closed: cut by us, one could be cut just as its next
   * request is on its way. Last it waits for the answers that are under way.
   */
  drain(): Promise<void> {
    return (this.draining_ ??= this.finish());
  }

  private async finish(): Promise<void> {
    await delay(this.config.httpBounds.drainMs);
    await this.takeWhoWaits();
    const closed = once(this.server, 'close');
    // HTTP's own close would hang up at once on every connection that has nothing under way.
    NetServer.prototype.close.call(this.server);
    this.isClosing = true;
    for (const response of this.responses) askToClose(response);
    await delay(LINGER_MS);
    this.isHangingUp = true;
    this.server.closeIdleConnections();
    await closed;
  }

  /** A connection that waits to be taken would be reset. The event loop takes one in each turn; it has come to the last when a turn has none. */
  private async takeWhoWaits(): Promise<void> {
    const end = performance.now() + LINGER_MS;
    for (let before = -1; before < this.connections && performance.now() < end;) {
      before = this.connections;
      await setImmediate();
    }
  }

  private follow(request: IncomingMessage, response: ServerResponse): void {
    const began = performance.now();
    this.responses.add(response);
    if (this.isClosing) askToClose(response);
    response.once('close', () => {
      this.responses.delete(response);
      this.admitted.delete(response);
      // Whose answer was on its way already was not asked to close.
      if (this.isHangingUp) this.server.closeIdleConnections();
      for (const observer of this.observers) observer(request, response, (performance.now() - began) / 1000);
    });
  }

  private get server(): Server {
    return this.adapter.httpAdapter.getHttpServer() as Server;
  }
}

function askToClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
