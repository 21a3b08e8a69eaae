import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { v7 as uuidv7 } from 'uuid';
import { FALLBACK_LANGUAGE } from '../i18n/languages';
import { Localizer } from '../i18n/localizer';
import { Envelopes } from './envelope';
import { REQUEST_ID_HEADER } from '../server/request-id';

/** What Node found wrong, and where it could tell, the bytes that it was reading. */
interface ReadingError extends Error {
  code?: string;
  rawPacket?: Buffer;
}

/** The status that Node itself would answer with; anything else is 400. */
const STATUSES = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** How long a caller may go on sending before the connection is cut: cut at once, the answer could be lost on its way. */
const LINGER_MS = 1_000;

/**
 * Answers what cannot be read as a request: headers beyond all measure, control characters in them, or no HTTP at all. Node
 * gives up before there is a request, so neither middleware nor filter sees it, and its own answer has no body.
 */
@Injectable()
export class UnreadableRequests implements OnApplicationBootstrap {
  private readonly logger = new Logger(UnreadableRequests.name);

  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly localizer: Localizer,
    private readonly envelopes: Envelopes,
  ) {}

  onApplicationBootstrap(): void {
    const server = this.adapter.httpAdapter.getHttpServer() as Server;
    server.on('clientError', (error: ReadingError, socket) => this.refuse(error, socket));
  }

  private refuse(error: ReadingError, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || hasBegunToAnswer(socket)) {
      socket.destroy();
      return;
    }
    // What comes in while the answer goes out is reported once more.
    if (!socket.writable) return;
    const requestId = uuidv7();
    const status = STATUSES.get(error.code ?? '') ?? 400;
    this.logger.log({ requestId, status, reason: error.code }, 'unreadable request');
    socket.end(this.answer(status, requestId, pathIn(error.rawPacket)));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  private answer(status: number, requestId: string, path: string): string {
    const message = this.localizer.translate('errors.request.malformed', FALLBACK_LANGUAGE);
    const body = JSON.stringify(this.envelopes.of(path).failure({ status }, message));
    return [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Content-Language: ${FALLBACK_LANGUAGE}`,
      'Vary: Accept-Language',
      `${REQUEST_ID_HEADER}: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n');
  }
}

/** Node keeps the answer that a connection is busy with here, and looks at it for the same purpose. */
function hasBegunToAnswer(socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent ?? false;
}

/** The path of the request line, if the bytes begin with one: the shape of the answer follows it. */
function pathIn(packet: Buffer | undefined): string {
  const line = packet?.subarray(0, 2_000).toString('latin1') ?? '';
  return /^[A-Z]+ (\/[^ ?\r\n]*)/.exec(line)?.[1] ?? '/';
}
