import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { v7 as uuidv7 } from 'uuid';
import { CONFIG, type Config } from '../config/config';
import {
  closeAfterResponse,
  closeConnection,
  type IdentifiedRequest,
  noteRefusal,
  pathOf,
  RateLimitGuard,
  RefusalCounts,
  REQUEST_ID_HEADER,
  responseOn,
  SECURITY_HEADERS,
} from '@user-administration/http';
import { Answers } from './answers';

/** The code of Node's error, and the bytes that it was parsing if known. */
interface ReadingError {
  code?: string;
  rawPacket?: Buffer;
}

/** The statuses that Node would answer with; any other error is 400. */
const STATUSES = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/**
 * How long a caller may continue to send before the connection is closed. If it were closed at once, the answer could
 * be lost.
 */
const LINGER_MS = 1_000;

/**
 * Answers input that cannot be parsed as a request: headers that are too long or contain control characters, no HTTP at
 * all, or a body with wrong framing or a timeout. Node's own answer has no body. Only headers that could be parsed
 * decide about language and format.
 */
@Injectable()
export class UnreadableRequests implements OnApplicationBootstrap {
  private readonly logger = new Logger(UnreadableRequests.name);

  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly answers: Answers,
    private readonly refusals: RefusalCounts,
    private readonly rateLimit: RateLimitGuard,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const server = this.adapter.httpAdapter.getHttpServer() as Server;
    server.on('clientError', (error: ReadingError, socket) => this.refuse(error, socket as Socket));
    // Without this listener, Node would close the connection without an answer.
    server.on('connect', (_request, socket) => this.refuseConnect(socket as Socket));
  }

  /**
   * Node leaves the connection of a CONNECT to its listener: it handles neither errors there, nor answers that have to
   * wait.
   */
  private refuseConnect(socket: Socket): void {
    // An error without a listener would end the process.
    socket.on('error', () => undefined);
    if (responseOn(socket) === undefined) this.answer({ code: 'CONNECT' }, socket);
    else closeConnection(socket, 'a CONNECT came before the answer');
  }

  private refuse(error: ReadingError, socket: Socket): void {
    const response = responseOn(socket);
    if (error.code === 'ECONNRESET') socket.destroy();
    // Input that arrives while the answer is sent causes the same error again.
    else if (!socket.writable) return;
    // The caller would take this answer for that to the request in progress.
    else if (response?.req.complete) closeAfterResponse(socket);
    else if (response?.headersSent) socket.destroy();
    else this.answer(error, socket, response?.req as IdentifiedRequest | undefined);
  }

  /** @param request the request with the unreadable body; none if the headers are unreadable */
  private answer({ code = '', rawPacket }: ReadingError, socket: Socket, request?: IdentifiedRequest): void {
    const status = STATUSES.get(code) ?? 400;
    const requestId = request?.id ?? uuidv7();
    const refused = status === 431 ? 'request.headers_too_large' : 'request.malformed';
    this.refusals.add(refused);
    if (request) noteRefusal(request, { refused, reason: code, status });
    else {
      this.rateLimit.countUnreadable(socket.remoteAddress);
      this.logger.log({ requestId, status, reason: code }, 'unreadable request');
    }
    const path = request ? pathOf(request) : pathIn(rawPacket);
    const { headers, body } = this.answers.refusal(path, request ?? { headers: {} }, {
      code: refused,
      status,
      details: { args: { max: this.config.httpBounds.headerBytes / 1024 } },
    });
    const all = new Map([
      ...SECURITY_HEADERS,
      ...headers,
      ['Content-Length', String(body.length)],
      [REQUEST_ID_HEADER, requestId],
      ['Connection', 'close'],
    ]);
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...[...all].map(([name, value]) => `${name}: ${value}`),
    ];
    // Written to the socket, because Node would close the connection directly after the response.
    socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }
}

/** The path of the request line, if the bytes begin with one: the shape of the answer follows it. */
function pathIn(packet: Buffer | undefined): string {
  const line = packet?.subarray(0, 2_000).toString('latin1') ?? '';
  return pathOf({ url: /^\S+ (\S+)/.exec(line)?.[1] ?? '/' });
}
