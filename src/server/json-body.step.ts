import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { json, type Request, type Response } from 'express';
import { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import { AdmissionGuard } from './admission.guard';
import type { HandlerStep } from './handler-steps.interceptor';

const OPTIONS = { limit: LIMITS.bodyBytes, strict: false };
const parse = json(OPTIONS);
const parseAndDigest = json({ ...OPTIONS, verify: digest });

/** The verbs whose routes take a body here. That of any other request means nothing (RFC 9110 section 9.3), and is not read. */
const WITH_BODY = ['POST', 'PUT', 'PATCH'];

/** A request whose body has been read. */
export interface DigestedRequest {
  /** SHA-256 of the body as it was sent, of one with an `Idempotency-Key` alone; none for an empty one. */
  bodyDigest?: Buffer;
}

function digest(request: IncomingMessage & DigestedRequest, _response: unknown, body: Buffer): void {
  request.bodyDigest = createHash('sha256').update(body).digest();
}

/**
 * Reads a JSON body, and refuses any other. After the guards, so that nobody can have megabytes read and parsed who may not call;
 * and it is the first step, because the others look at the body.
 */
@Injectable()
export class JsonBodyStep implements HandlerStep {
  constructor(private readonly admission: AdmissionGuard) {}

  async around(context: ExecutionContext, next: () => Promise<unknown>): Promise<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (WITH_BODY.includes(request.method)) {
      const response = http.getResponse<Response>();
      await this.admission.outside(request, response, () => read(request, response));
    }
    return next();
  }
}

/** Nothing of what the parser says reaches the caller: it quotes the body. */
function read(request: Request, response: Response): Promise<void> {
  if (hasBody(request) && !request.is('application/json')) throw new ServiceError('body.unsupported');
  // The parser would read all of it before it says so.
  if (Number(request.headers['content-length']) > LIMITS.bodyBytes) throw new ServiceError('body.too_large');
  const parser = request.headers['idempotency-key'] === undefined ? parse : parseAndDigest;
  return new Promise((resolve, reject) => {
    parser(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(bodyError(error))));
  });
}

/** RFC 9112 section 6: a request has a body when it says how it is framed. A length of zero is none. */
function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0);
}

function bodyError(error: unknown): ServiceError {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return new ServiceError('body.too_large');
  if (status === 415) return new ServiceError('body.unsupported');
  return new ServiceError('body.not_json');
}
