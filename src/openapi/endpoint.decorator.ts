import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtension, ApiOperation } from '@nestjs/swagger';
import { AnswersWith } from '../answers/answer.step';
import type { AnswerKey } from '../contract/answers';
import type { ErrorCode, ErrorDetails } from '../contract/errors';

/** The documentation of a route, and everything that it may answer. */
export interface EndpointNotes {
  /** A few words: Swagger UI shows them in one line, beside the path. */
  summary: string;
  /** Markdown. */
  description: string;
  /** The status of a success; 200 if left out. */
  status?: 200 | 201 | 204;
  /** The sentence of a success. A route whose success is more, or is no sentence, declares it by `@ApiOkResponse` and the like. */
  answers?: AnswerKey;
  /** Whether it heeds `Prefer`. */
  preferences?: boolean;
  /** The codes that it refuses with, in the order of the checks. Codes that any route may answer are added. */
  refuses?: readonly ErrorCode[];
  /** Values for the placeholders of refusals in the examples, where those of the catalogue are not right here. */
  refusalArgs?: Partial<Record<ErrorCode, ErrorDetails['args']>>;
  /** The parameters in the path, by name. */
  parameters?: Readonly<Record<string, { description: string; example: string }>>;
  /** Bodies to try, by name. Swagger UI fills in the first one. */
  examples?: Readonly<Record<string, { summary: string; value: object }>>;
}

/** Carries the notes to `openApiDocument`, which replaces them by responses, parameters and examples. */
export const NOTES = 'x-notes';

/**
 * Makes a handler answer as its documentation says: the status of a success, its sentence, and what OpenAPI declares.
 *
 * @example
 * @Post('manage-status')
 * @Endpoint({ summary: 'Manage a status', description: '...', answers: 'status.updated', refuses: ['status.not_permitted'] })
 * manageStatus(@ValidatedBody() body: ManageStatusDto): Promise<void> { ... }
 */
export function Endpoint(notes: EndpointNotes): MethodDecorator {
  return applyDecorators(
    HttpCode(notes.status ?? 200),
    ApiOperation({ summary: notes.summary, description: notes.description }),
    ApiExtension(NOTES, notes),
    ...(notes.answers ? [AnswersWith(notes.answers)] : []),
  );
}
