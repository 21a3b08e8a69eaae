import type { Socket } from 'node:net';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HTTP_OPTIONS, type HttpOptions } from './options';
import { closeConnection } from './closed-connections';
import { RequestsUnderWay } from './requests-under-way';

const CHECK_EVERY_MS = 1_000;

/**
 * Closes connections whose caller does not read its response: when the network has accepted no more of it for as long
 * as a whole request may take. Node limits only the time for sending requests.
 */
@Injectable()
export class StalledAnswers implements OnApplicationBootstrap, OnApplicationShutdown {
  /**
   * For each response in progress: how many bytes of the connection the network has accepted, and since when that
   * number has not changed.
   */
  private waiting = new Map<Socket, { taken: number; since: number }>();
  private checking: NodeJS.Timeout | undefined;

  constructor(
    private readonly requests: RequestsUnderWay,
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
  ) {}

  onApplicationBootstrap(): void {
    this.checking = setInterval(() => this.check(), CHECK_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.checking);
  }

  private check(): void {
    const now = performance.now();
    const before = this.waiting;
    this.waiting = new Map();
    for (const { socket } of this.requests.responses) {
      if (!socket || socket.writableLength === 0) continue;
      const taken = acceptedBy(socket);
      const known = before.get(socket);
      const since = known?.taken === taken ? known.since : now;
      if (now - since < this.options.httpBounds.requestMs) this.waiting.set(socket, { taken, since });
      else closeConnection(socket, 'the caller did not read its answer');
    }
  }
}

/** The socket's own numbers change only when a whole chunk is accepted, and a page of records is one chunk. */
function acceptedBy(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
