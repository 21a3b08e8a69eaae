import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { CONFIG, type Config } from '../config/config';
import { type AnswerParts, DryRunAnswer } from '../contract/answers';
import { Answers, type AnswerSentence } from './answers';
import { type AnswerKind, setRecordHeaders } from './record-headers';

/** Marks a handler that returns a record or a page, whose headers follow from it. */
export const AnswersA = Reflector.createDecorator<AnswerKind>();

/**
 * Names the sentence of a successful answer. Use cases do not know sentences. A handler with this decorator returns
 * nothing or a `Representation`.
 */
export const AnswersWith = Reflector.createDecorator<AnswerSentence>();

/** Completes a successful answer: with its sentence, or with the headers of its record or page. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly answers: Answers,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const sentence: AnswerSentence | undefined = this.reflector.get(AnswersWith, context.getHandler());
    const kind: AnswerKind | undefined = this.reflector.get(AnswersA, context.getHandler());
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((answer: unknown) => {
        if (answer instanceof DryRunAnswer) {
          response.status(200);
          return this.answers.dryRun(request, response, answer.result);
        }
        if (sentence) return this.answers.success(request, response, sentence, answer as AnswerParts | undefined);
        if (kind) setRecordHeaders(kind, this.config.publicUrl, request, response, answer as object);
        return answer;
      }),
    );
  }
}
