import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { json, type NextFunction, type Request, type Response } from 'express';
import { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';

const OPTIONS = { limit: LIMITS.bodyBytes, strict: false };
const parse = json(OPTIONS);
const parseAndDigest = json({ ...OPTIONS, verify: digest });

/** A request whose body has been read. */
export interface DigestedRequest {
  /** SHA-256 of the body as it was sent, of one with an `Idempotency-Key` alone; none for an empty one. */
  bodyDigest?: Buffer;
}

function digest(request: IncomingMessage & DigestedRequest, _response: unknown, body: Buffer): void {
  request.bodyDigest = createHash('sha256').update(body).digest();
}

/** Reads a JSON body, and refuses any other. Nothing of what the parser says reaches the caller: it quotes the body. */
export function jsonBody(request: Request, response: Response, next: NextFunction): void {
  if (hasBody(request) && !request.is('application/json')) {
    next(new ServiceError('body.unsupported'));
    return;
  }
  // The parser would read all of it before it says so.
  if (Number(request.headers['content-length']) > LIMITS.bodyBytes) {
    next(new ServiceError('body.too_large'));
    return;
  }
  const read = request.headers['idempotency-key'] === undefined ? parse : parseAndDigest;
  read(request, response, (error?: unknown) => next(error === undefined ? undefined : bodyError(error)));
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
