import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import {
  BodyMemory,
  hasBody,
  hasMoreStructureThan,
  HttpRefusal,
  JSON_OR_MERGE_PATCH_TYPE,
  JSON_BODY_TYPE,
  pathOf,
  readBody,
  readPreferences,
  refuseOtherThan,
  refuseUnknownFields,
  refuseUnknownParameters,
} from '@user-administration/http';
import { knownFields, knownParameters } from './validated.decorators';

/** Methods with a body. The body of any other request has no meaning (RFC 9110 section 9.3) and is not read. */
const WITH_BODY = ['POST', 'PUT', 'PATCH'];
/** RFC 8259 section 8.1: JSON is UTF-8. A byte order mark is ignored. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The body of the route, or of each route of the controller, has lists of ids, so it can be larger than other bodies.
 */
export const TakesIdLists = Reflector.createDecorator<object>();

/** The media types of the bodies of a controller, if not those of JSON and of merge patches. */
export const TakesTypes = Reflector.createDecorator<RegExp>();

/**
 * The media types of the body of a route that takes a file, the refusal of others, and of one that is too large. The
 * bytes reach the handler as they were sent.
 */
export const TakesFile = Reflector.createDecorator<FileBody>();

interface FileBody {
  types: RegExp;
  otherwise(): ServiceError;
  tooLarge(): ServiceError;
}

export interface DigestedRequest {
  /** SHA-256 of the body as sent; only for requests with an `Idempotency-Key`, and not for an empty body. */
  bodyDigest?: Buffer;
}

/** Other paths are for platforms and identity providers, which may add parameters and fields of their own. */
const STRICT_PATHS = '/api';

/**
 * Refuses unknown query parameters, then reads a JSON body and refuses any other. It runs after the guards, so that no
 * body is read for a refused caller, and before the interceptors that use the body.
 */
@Injectable()
export class InputInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly memory: BodyMemory,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & DigestedRequest>();
    const query = request.url.indexOf('?') + 1;
    const isStrict = pathOf(request).startsWith(`${STRICT_PATHS}/`);
    if (query > 0 && isStrict) {
      refuseUnknownParameters(request.url.slice(query), knownParameters(context.getHandler()));
    }
    const file = this.reflector.get(TakesFile, context.getHandler()) as FileBody | undefined;
    if (file) {
      refuseOtherThan(file.types, request, file.otherwise);
      request.body = await this.read(request, http.getResponse(), LIMITS.listBodyBytes).catch((error: unknown) => {
        throw error instanceof HttpRefusal && error.code === 'body.too_large' ? file.tooLarge() : error;
      });
    } else if (WITH_BODY.includes(request.method) && hasBody(request)) {
      const own = this.reflector.get(TakesTypes, context.getClass()) as RegExp | undefined;
      refuseOtherThan(own ?? (request.method === 'PATCH' ? JSON_OR_MERGE_PATCH_TYPE : JSON_BODY_TYPE), request);
      const hasLists = this.reflector.getAllAndOverride(TakesIdLists, [context.getHandler(), context.getClass()]);
      const limit = hasLists ? LIMITS.listBodyBytes : LIMITS.bodyBytes;
      const bytes = await this.read(request, http.getResponse(), limit);
      if (bytes.length > 0) {
        request.body = parse(bytes);
        if (isStrict && readPreferences(request.headers.prefer).strict) {
          refuseUnknownFields(request.body, bytes, knownFields(context.getHandler()));
        }
      }
    }
    return next.handle();
  }

  private async read(request: Request & DigestedRequest, response: Response, limit: number): Promise<Buffer> {
    const bytes = hasBody(request) ? await readBody(request, response, limit, this.memory) : Buffer.alloc(0);
    if (bytes.length > 0 && request.headers['idempotency-key'] !== undefined) request.bodyDigest = sha256(bytes);
    return bytes;
  }
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** The parser's message quotes the body, so callers must not see it. */
function parse(bytes: Buffer): unknown {
  if (hasMoreStructureThan(LIMITS.bodyStructure, bytes)) throw new ServiceError('body.too_large');
  try {
    return JSON.parse(UTF_8.decode(bytes));
  } catch {
    throw new ServiceError('body.not_json');
  }
}
