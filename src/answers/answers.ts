import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AnswerKey, ProblemBody, Representation } from '../contract/answers';
import type { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import { Localizer } from '../i18n/localizer';
import { negotiateLanguage } from '../i18n/negotiate-language';
import { appliedPreferences, appliedStrictness } from '../server/preferences';
import { pathOf } from '../server/request-path';
import { Envelopes } from './envelope';
import { JSON_TYPE, PROBLEM_TYPE, prefersProblem } from './prefers-problem';

/** The part of an error that its answer shows. */
type RefusedError = Pick<ServiceError, 'code' | 'status' | 'details'>;

/** Builds the body of an answer: the sentence in the caller's language, in the format of the route or as a problem document. */
@Injectable()
export class Answers {
  constructor(
    private readonly localizer: Localizer,
    private readonly envelopes: Envelopes,
  ) {}

  success(request: Request, response: Response, key: AnswerKey, representation?: Representation): object {
    const language = negotiateLanguage(request.headers['accept-language']);
    const message = this.localizer.translate(`answers.${representation?.dryRun ? 'dry_run.done' : key}`, language);
    const body = this.envelopes.of(pathOf(request)).success(message);
    response.setHeader('Content-Language', language);
    response.setHeader('Vary', 'Accept-Language');
    const { prefer } = request.headers;
    const applied = representation ? appliedPreferences(prefer) : appliedStrictness(prefer);
    if (applied) {
      response.setHeader('Preference-Applied', applied);
      response.setHeader('Vary', 'Accept-Language, Prefer');
    }
    return representation ? { ...body, result: representation.result } : body;
  }

  failure(request: Request, response: Response, error: ServiceError): void {
    const { headers, body } = this.refusal(pathOf(request), request.headers, error);
    response.status(error.status).setHeaders(headers).send(body);
  }

  /** The headers and the body of a refusal. Input that could not be parsed has no Express request and no response. */
  refusal(
    path: string,
    asked: IncomingHttpHeaders,
    error: RefusedError,
  ): { headers: Map<string, string>; body: Buffer } {
    const language = negotiateLanguage(asked['accept-language']);
    const detail = this.localizer.translate(`errors.${error.code}`, language, error.details.args);
    const isProblem = prefersProblem(asked.accept);
    const body = isProblem ? problem(error, detail) : this.envelopes.of(path).failure(error, detail);
    const headers = new Map([
      ['Content-Language', language],
      ['Vary', 'Accept-Language, Accept'],
      ['Content-Type', isProblem ? PROBLEM_TYPE : `${JSON_TYPE}; charset=utf-8`],
    ]);
    return { headers, body: Buffer.from(JSON.stringify(body)) };
  }
}

/** RFC 9457 section 3.1. */
function problem(error: RefusedError, detail: string): ProblemBody {
  return {
    type: 'about:blank',
    title: STATUS_CODES[error.status] ?? 'Error',
    status: error.status,
    detail,
    code: error.code,
    ...(error.details.errors && { errors: error.details.errors.slice(0, LIMITS.errorLocations) }),
  };
}
