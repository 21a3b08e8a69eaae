import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { AnswerKey, Representation } from '../contract/answers';
import { Answers } from './answers';

/**
 * Names the sentence of a successful answer. Use cases do not know sentences. A handler with this decorator returns
 * nothing or a {@link Representation}.
 */
export const AnswersWith = Reflector.createDecorator<AnswerKey>();

@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly answers: Answers,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<Representation | undefined>): Observable<unknown> {
    const key: AnswerKey | undefined = this.reflector.get(AnswersWith, context.getHandler());
    if (key === undefined) return next.handle();
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(map((representation) => this.answers.success(request, response, key, representation)));
  }
}
