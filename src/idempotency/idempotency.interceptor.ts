import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { catchError, type Observable, of } from 'rxjs';
import type { AuthenticatedRequest } from '../auth/caller';
import type { IdempotentRequest } from '../auth/change-context';
import { ServiceError } from '../contract/errors';
import { appliedPreferences, pathOf } from '@user-administration/http';
import type { DigestedRequest } from '../server/input.interceptor';
import { languageOf, type SpokenRequest } from '../i18n/negotiate-language';
import { readIdempotencyKey } from './idempotency-key.rules';
import { type KeptAnswer, type KeyedRequest, KeyedRequests } from './keyed-requests';

type KeyableRequest = Request & AuthenticatedRequest & DigestedRequest & IdempotentRequest;

/**
 * Handles `Idempotency-Key` on every POST: a request that has already succeeded gets the same answer and is not
 * repeated. It runs after the guards, so that nobody sees the answer of another caller, and before the body is
 * validated.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly requests: KeyedRequests) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<KeyableRequest>();
    const header = request.headers['idempotency-key'];
    if (header === undefined || request.method !== 'POST') return next.handle();

    const keyed = this.keyed(request, readIdempotencyKey(String(header)));
    const kept = await this.requests.find(keyed);
    if (kept) return of(replay(context, kept));
    request.idempotency = this.requests.once(keyed);
    return next.handle().pipe(catchError((error: unknown) => this.replayOrThrow(context, keyed, error)));
  }

  /** If the first request has succeeded since the look-up, its change can be the reason why this one was refused. */
  private async replayOrThrow(context: ExecutionContext, keyed: KeyedRequest, error: unknown): Promise<unknown> {
    const kept = error instanceof ServiceError ? await this.requests.find(keyed) : undefined;
    if (!kept) throw error;
    return replay(context, kept);
  }

  /** Two callers can use the same key without noticing each other. */
  private keyed(request: KeyableRequest, key: string): KeyedRequest {
    const { kind, key: record, id } = request.user;
    return {
      caller: request.user,
      id: sha256(JSON.stringify([kind, record ?? id, key])),
      fingerprint: sha256(
        `${request.method} ${pathOf(request)}${optionsOf(request)}\n${mediaTypeOf(request)}`,
        request.bodyDigest,
      ),
      language: languageOf(request),
    };
  }
}

/** The same answer, to the byte: its sentence is in the language of the first request. */
function replay(context: ExecutionContext, kept: KeptAnswer): unknown {
  const http = context.switchToHttp();
  http.getResponse<Response>().setHeader('Idempotency-Replayed', 'true');
  http.getRequest<SpokenRequest>().i18nLang = kept.language;
  return kept.result;
}

/** The options of the request outside its body: its query, and the applied preferences. */
function optionsOf({ originalUrl, headers }: Request): string {
  const query = /\?.*/s.exec(originalUrl)?.[0] ?? '';
  const preferences = appliedPreferences(headers.prefer);
  return preferences ? `${query} ${preferences}` : query;
}

/** The media type of the body, without parameters: the same bytes mean something else as another type. */
function mediaTypeOf({ headers, bodyDigest }: KeyableRequest): string {
  const [type = ''] = (bodyDigest && headers['content-type']?.split(';')) || [];
  return type.trim().toLowerCase();
}

function sha256(text: string, digest?: Buffer): Buffer {
  const hash = createHash('sha256').update(text);
  return (digest ? hash.update(digest) : hash).digest();
}
