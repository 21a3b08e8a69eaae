import { type ParsedUrlQuery, stringify } from 'node:querystring';
import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { CONFIG, type Config } from '../config/config';
import { pathOf } from '../server/request-path';
import { etagOf, requireMatch } from './etag';

/** The kind of an answer: one record, a created record, or a page of records. */
export type AnswerKind = 'record' | 'created' | 'page';

/** Marks a handler with the kind of its answer. */
export const AnswersA = Reflector.createDecorator<AnswerKind>();

/**
 * Whether there is more to read at once, on a page for followers, which always has a `next`. The address of the page after it has the
 * parameter `after` instead of `cursor`. The key is a symbol, so JSON does not contain it.
 */
export const HAS_MORE = Symbol('has more');

interface Page {
  next?: unknown;
  [HAS_MORE]?: boolean;
}

/** Sets the headers of answers that are records or pages. */
@Injectable()
export class RecordInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const kind: AnswerKind | undefined = this.reflector.get(AnswersA, context.getHandler());
    if (kind === undefined) return next.handle();
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    // Node accepts characters in a target that end the address in `Link`.
    const address = this.config.publicUrl + encodeURI(pathOf(request)).replaceAll('%25', '%');
    return next.handle().pipe(tap((answer) => describe(kind, address, request, response, answer)));
  }
}

function describe(kind: AnswerKind, address: string, request: Request, response: Response, answer: object): void {
  if (kind === 'page') return link(address, request, response, answer);
  if (kind === 'created') locate(address, response, answer);
  // Changes have compared the locked record, and answer another version.
  if (['GET', 'HEAD'].includes(request.method)) requireMatch(request.headers['if-match'], answer);
  response.setHeader('ETag', etagOf(answer));
  // Express answers 304 automatically, but not for `Cache-Control: no-cache`, which many clients send and which
  // concerns only caches, nor for a validator beside a tab.
  delete request.headers['cache-control'];
  request.headers['if-none-match'] = request.headers['if-none-match']?.replaceAll('\t', ' ');
}

function locate(address: string, response: Response, created: object): void {
  if (!('id' in created)) return;
  const collection = address.replace(/\/$/, '');
  response.setHeader('Location', `${collection}/${encodeURIComponent(String(created.id))}`);
}

/**
 * The same address and query, with the cursor of the next page. What `parseQuery` read is written again, so that the next page
 * has the same filters.
 */
function link(address: string, request: Request, response: Response, { next, [HAS_MORE]: hasMore }: Page): void {
  if (typeof next !== 'string' || hasMore === false) return;
  const query = stringify({ ...(request.query as ParsedUrlQuery), [hasMore ? 'after' : 'cursor']: next });
  response.setHeader('Link', `<${address}?${query}>; rel="next"`);
}
