import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { AnswerKey, Representation } from '../contract/answers';
import { Answers } from './answers';
import type { HandlerStep } from '../server/handler-steps.interceptor';

const ANSWER = 'http:answer';

/**
 * Names the sentence of a successful answer. Use cases do not know sentences. A handler with this decorator returns
 * nothing or a {@link Representation}.
 */
export const AnswersWith = (key: AnswerKey) => SetMetadata(ANSWER, key);

@Injectable()
export class AnswerStep implements HandlerStep {
  constructor(
    private readonly reflector: Reflector,
    private readonly answers: Answers,
  ) {}

  async around(context: ExecutionContext, next: () => Promise<unknown>): Promise<unknown> {
    const representation = (await next()) as Representation | undefined;
    const key = this.reflector.get<AnswerKey | undefined>(ANSWER, context.getHandler());
    if (key === undefined) return representation;
    const http = context.switchToHttp();
    return this.answers.success(http.getRequest<Request>(), http.getResponse<Response>(), key, representation);
  }
}
