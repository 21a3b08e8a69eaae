import { STATUS_CODES } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AnswerKey, AnswerParts, ProblemBody, StatusBody } from '../contract/answers';
import type { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import { Localizer } from '../i18n/localizer';
import { languageOf, type SpokenRequest } from '../i18n/negotiate-language';
import {
  appliedPreferences,
  appliedStrictness,
  JSON_TYPE,
  pathOf,
  prefersProblem,
  PROBLEM_TYPE,
} from '@user-administration/http';

/**
 * The words that a route, and every path under it, has for `status` instead of the HTTP status. The route's feature
 * declares them.
 */
export interface StatusWords {
  /** Without a trailing slash: `/api/users/manage-status`. */
  readonly path: string;
  readonly success: StatusBody['status'];
  readonly failure: StatusBody['status'];
}
export const STATUS_WORDS = Symbol('STATUS_WORDS');

/** The form of every refusal below a path whose protocol has one of its own. The feature of the path declares it. */
export interface ErrorForm {
  /** Without a trailing slash. */
  readonly path: string;
  readonly mediaType: string;
  /** The media types of the body of a PATCH, in the format of `Accept-Patch`. */
  readonly patchTypes: string;
  /** @param detail the sentence of the error, in the language of the caller */
  body(error: RefusedError, detail: string): object;
}
export const ERROR_FORMS = Symbol('ERROR_FORMS');

/** The sentence of a successful answer. */
export interface AnswerSentence {
  key: AnswerKey;
  /** It always has a result, which no preference asks for. */
  hasResult?: boolean;
}

/** The part of an error that its answer shows. */
export type RefusedError = Pick<ServiceError, 'code' | 'status' | 'details'>;

/**
 * Builds the body of an answer: the sentence in the caller's language, in the format of the route or as a problem
 * document.
 */
@Injectable()
export class Answers {
  constructor(
    private readonly localizer: Localizer,
    @Inject(STATUS_WORDS) private readonly words: readonly StatusWords[],
    @Inject(ERROR_FORMS) private readonly forms: readonly ErrorForm[],
  ) {}

  /**
   * The words of a path; undefined for a path that answers with the HTTP status. Chosen by path alone, because a
   * malformed body or an unsupported method is refused before the route is known. Like Express, it ignores a trailing
   * slash.
   */
  wordsOf(path: string): StatusWords | undefined {
    return this.words.find((route) => isBelow(route.path, path));
  }

  /** The form of errors of a path; undefined for the usual one. Chosen by path alone, as the words are. */
  formOf(path: string): ErrorForm | undefined {
    return this.forms.find((form) => isBelow(form.path, path));
  }

  /** @returns the body: an object or, with a result, the JSON of it */
  success(
    request: Request,
    response: Response,
    { key, hasResult = false }: AnswerSentence,
    parts: AnswerParts = {},
  ): object | string {
    const { prefer } = request.headers;
    const { json, dryRun, sentence = key } = parts;
    const isAskedFor = json !== undefined && !hasResult;
    const applied = isAskedFor ? appliedPreferences(prefer) : json === undefined ? appliedStrictness(prefer) : '';
    const body = this.done(request, response, dryRun ? 'dry_run.done' : sentence, applied);
    if (json === undefined) return body;
    response.setHeader('Content-Type', `${JSON_TYPE}; charset=utf-8`);
    return `${JSON.stringify(body).slice(0, -1)},"result":${json}}`;
  }

  /** @returns the body of a dry run of a route that answers with a record, or with nothing */
  dryRun(request: Request, response: Response, result: object): object {
    return { ...this.done(request, response, 'dry_run.done', appliedStrictness(request.headers.prefer)), result };
  }

  private done(request: Request, response: Response, key: AnswerKey, applied: string): object {
    const { text, language } = this.localizer.sentence('answers', key, languageOf(request));
    response.setHeader('Content-Language', language);
    response.setHeader('Vary', applied ? 'Accept-Language, Prefer' : 'Accept-Language');
    if (applied) response.setHeader('Preference-Applied', applied);
    return { status: this.wordsOf(pathOf(request))?.success ?? 200, message: text };
  }

  failure(request: Request, response: Response, error: ServiceError): void {
    const { headers, body } = this.refusal(pathOf(request), request, error);
    response.status(error.status).setHeaders(headers).send(body);
  }

  /** The headers and the body of a refusal. Input that could not be parsed has no Express request and no response. */
  refusal(path: string, asked: SpokenRequest, error: RefusedError): { headers: Map<string, string>; body: Buffer } {
    const { text, language } = this.localizer.sentence('errors', error.code, languageOf(asked), error.details.args);
    const { type, body } = this.represent(path, asked.headers.accept, error, text);
    const headers = new Map([
      ['Content-Language', language],
      ['Vary', 'Accept-Language, Accept'],
      ['Content-Type', type],
    ]);
    return { headers, body: Buffer.from(JSON.stringify(body)) };
  }

  private represent(
    path: string,
    accept: string | undefined,
    error: RefusedError,
    detail: string,
  ): { type: string; body: object } {
    const form = this.formOf(path);
    if (form) return { type: `${form.mediaType}; charset=utf-8`, body: form.body(error, detail) };
    if (prefersProblem(accept)) return { type: PROBLEM_TYPE, body: problem(error, detail) };
    const status = this.wordsOf(path)?.failure ?? error.status;
    const { lines } = error.details;
    return {
      type: `${JSON_TYPE}; charset=utf-8`,
      body: { status, message: detail, ...(lines && { errors: lines }) },
    };
  }
}

function isBelow(route: string, path: string): boolean {
  return `${path}/`.startsWith(`${route}/`);
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
    ...(error.details.lines && { errors: error.details.lines }),
  };
}
