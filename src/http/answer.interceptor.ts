import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { AnswerKey } from '../contract/answers';
import { Answers } from './answers';

const ANSWER = 'http:answer';

/** Names the sentence that a successful call is answered with. Use cases do not know about sentences. */
export const AnswersWith = (key: AnswerKey) => SetMetadata(ANSWER, key);

@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly answers: Answers,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const key = this.reflector.get<AnswerKey | undefined>(ANSWER, context.getHandler());
    if (key === undefined) return next.handle();
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(map(() => this.answers.success(http.getRequest<Request>(), http.getResponse<Response>(), key)));
  }
}
