import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ServiceError } from '../contract/errors';
import {
  bearerToken,
  discardBody,
  HttpRefusal,
  type IdentifiedRequest,
  isReadable,
  noteRefusal,
  PATCH_TYPES,
  pathOf,
  RefusalCounts,
  RouteTable,
  traceContextOf,
} from '@user-administration/http';
import { Answers } from './answers';

const RETRY_AFTER_SECONDS = 1;
const FAIR_USE_HEADERS = ['RateLimit', 'RateLimit-Policy'];

/** Translates failures of what the service stands on into refusals; undefined for any other error. */
export type ErrorTranslator = (error: unknown) => ServiceError | undefined;
export const ERROR_TRANSLATOR = Symbol('ERROR_TRANSLATOR');

/**
 * Converts every error (of routes, guards, pipes, middleware or the router) into an answer without internal details.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  constructor(
    private readonly answers: Answers,
    private readonly routes: RouteTable,
    private readonly refusals: RefusalCounts,
    @Inject(ERROR_TRANSLATOR) private readonly translate: ErrorTranslator,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = this.toServiceError(thrown, request, response);
    const isOver = response.headersSent || !request.socket.writable;
    if (error.status >= 500 || !isOver) this.note(error, request);
    // Part of the answer has been sent and cannot be taken back.
    if (response.headersSent) response.destroy();
    if (isOver) return;
    if (isWorthRepeating(error)) {
      response.setHeader('Retry-After', error.details.args?.seconds ?? RETRY_AFTER_SECONDS);
    }
    if (error.code === 'body.encoding_unsupported') response.setHeader('Accept-Encoding', 'identity');
    if (error.status === 415 && request.method === 'PATCH') {
      response.setHeader('Accept-Patch', this.answers.formOf(pathOf(request))?.patchTypes ?? PATCH_TYPES);
    }
    if (error.status === 401) {
      response.setHeader('WWW-Authenticate', challengeTo(request));
      // The remaining quota of a caller would show a probe that its token is valid.
      for (const header of FAIR_USE_HEADERS) response.removeHeader(header);
    }
    discardBody(request, response)
      .then(() => this.answers.failure(request, response, error))
      .catch((fault: unknown) => {
        // Nest does not await exception filters, so a failure here would be an unhandled rejection.
        this.logger.error(fault instanceof Error ? fault.stack : 'an answer could not be written');
        response.destroy();
      });
  }

  private toServiceError(thrown: unknown, request: Request, response: Response): ServiceError {
    if (thrown instanceof ServiceError) return thrown;
    if (thrown instanceof HttpRefusal) return new ServiceError(thrown.code, thrown.details, { cause: thrown.cause });
    const translated = this.translate(thrown);
    if (translated) return translated;
    const status = thrown instanceof HttpException ? thrown.getStatus() : 500;
    if (status === 404) return this.unrouted(request, response);
    // The messages of Nest and Express quote the request.
    return status < 500
      ? new ServiceError('request.malformed')
      : new ServiceError('service.failed', {}, { cause: thrown });
  }

  /**
   * Nest reports only that no route matched. RFC 9110 section 15.5.6 distinguishes an unsupported method from an
   * unknown path.
   */
  private unrouted(request: Request, response: Response): ServiceError {
    const allowed = this.routes.methodsOf(pathOf(request));
    if (allowed.length === 0)
      return new ServiceError(isReadable(pathOf(request)) ? 'route.unknown' : 'request.malformed');
    response.setHeader('Allow', allowed.join(', '));
    return new ServiceError('route.method_not_allowed');
  }

  private note({ code, cause }: ServiceError, request: Request): void {
    this.refusals.add(code);
    if (code !== 'service.failed') {
      const reason = cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : undefined;
      noteRefusal(request, { refused: code, reason });
      return;
    }
    const stack = cause instanceof Error ? (cause.stack ?? cause.message) : 'something other than an error was thrown';
    const { id: requestId } = request as Request & IdentifiedRequest;
    this.logger.error({ requestId, traceId: traceContextOf(request)?.traceId, stack }, 'a request failed');
  }
}

const isWorthRepeating = ({ status, code, refusal }: ServiceError): boolean =>
  refusal.isWorthRepeating ?? ([429, 503].includes(status) && code !== 'service.outcome_unknown');

/**
 * RFC 6750 section 3.1: a caller that sent a token learns that it is not valid. Only the request decides: manage-status
 * must not tell a token that is valid but not permitted from one that is not valid.
 */
function challengeTo(request: Request): string {
  return bearerToken(request) === null ? 'Bearer' : 'Bearer error="invalid_token"';
}
