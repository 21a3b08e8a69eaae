import { applyDecorators } from '@nestjs/common';
import { AnswersA } from '../answers/answer.interceptor';
import type { AnswerKind } from '../answers/record-headers';
import { ApiExtension } from '@nestjs/swagger';

/** The metadata key of the kind, which `openApiDocument` replaces by the headers of the answer. */
export const DOCUMENTED_KIND = 'x-answer-kind';

const documented = (kind: AnswerKind) => applyDecorators(AnswersA(kind), ApiExtension(DOCUMENTED_KIND, kind));

/** The answer is one record, with an `ETag`. Express compares it with `If-None-Match` and answers 304. */
export const AnswersRecord = () => documented('record');

/** The answer is a created record, with `Location` and `ETag`. */
export const AnswersCreated = () => documented('created');

/** The answer is a record under its new id, with `Location` and `ETag`. */
export const AnswersRenamed = () => documented('renamed');

/** The answer is a page: `Link` leads to the next one (RFC 8288). */
export const AnswersPage = () => documented('page');
