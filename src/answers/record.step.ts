import { applyDecorators, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { HandlerStep } from '../server/handler-steps.interceptor';
import { pathOf } from '../server/request-path';
import { etagOf } from './etag';

const KIND = 'answers:record';

/** The kind of an answer: one record, a created record with or without an `ETag`, or a page of records. */
export type AnswerKind = 'record' | 'created' | 'located' | 'page';

/** Exposes the kind to `openapi/`, which declares the headers of the answer. */
export const ANSWER_KIND = 'x-answer-kind';

const answersA = (kind: AnswerKind) => applyDecorators(SetMetadata(KIND, kind), ApiExtension(ANSWER_KIND, kind));

/** The answer is one record, with an `ETag`. Express compares it with `If-None-Match` and answers 304. */
export const AnswersRecord = () => answersA('record');

/** The answer is a created record, with `Location` and `ETag`. */
export const AnswersCreated = () => answersA('created');

/** The answer contains more than `GET` returns, such as a secret, so it has `Location` but no `ETag`. */
export const AnswersLocation = () => answersA('located');

/** The answer is a page: `Link` leads to the next one (RFC 8288). */
export const AnswersPage = () => answersA('page');

/** Sets the headers of answers that are records or pages. */
@Injectable()
export class RecordStep implements HandlerStep {
  constructor(private readonly reflector: Reflector) {}

  async around(context: ExecutionContext, next: () => Promise<unknown>): Promise<unknown> {
    const result = await next();
    const kind = this.reflector.get<AnswerKind | undefined>(KIND, context.getHandler());
    if (kind === undefined || typeof result !== 'object' || result === null) return result;
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    if (kind === 'page') {
      link(request, response, result);
      return result;
    }
    if (kind !== 'record') locate(request, response, result);
    if (kind === 'located') return result;
    response.setHeader('ETag', etagOf(result));
    // Express answers 304 automatically, but not for `Cache-Control: no-cache`, which many clients send and which
    // concerns only caches.
    delete request.headers['cache-control'];
    return result;
  }
}

function locate(request: Request, response: Response, created: object): void {
  if (!('id' in created)) return;
  const collection = pathOf(request).replace(/\/$/, '');
  response.setHeader('Location', `${collection}/${encodeURIComponent(String(created.id))}`);
}

/** The same URL, with the cursor of the next page. */
function link(request: Request, response: Response, page: object): void {
  if (!('next' in page) || typeof page.next !== 'string') return;
  const [path = '', query] = request.originalUrl.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', page.next);
  response.setHeader('Link', `<${path}?${parameters.toString()}>; rel="next"`);
}
