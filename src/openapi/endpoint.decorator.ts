import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtension, ApiOperation } from '@nestjs/swagger';
import type { AnswerKey } from '../contract/answers';
import type { ErrorCode, ErrorDetails } from '../contract/errors';
import { AnswersWith } from '../answers/answer.step';

/** What a person is told of a route, and all that it may answer. */
export interface EndpointNotes {
  summary: string;
  /** Markdown. */
  description: string;
  /** The sentence of a success. A route whose success is no sentence declares its 200 by `@ApiOkResponse`. */
  answers?: AnswerKey;
  /** The codes that it refuses with, in the order in which they are checked. What any route may answer need not be named. */
  refuses?: readonly ErrorCode[];
  /** What the example of a refusal carries, where it differs from the catalogue's: values for its sentence, places at fault. */
  details?: Readonly<Partial<Record<ErrorCode, ErrorDetails>>>;
  /** Bodies to try, by name; Swagger UI offers the first one to begin with. */
  examples?: Readonly<Record<string, { summary: string; value: object }>>;
}

/** Where the notes wait for the builder of the document, which puts responses and examples in their place. */
export const NOTES = 'x-notes';

/**
 * Makes of a handler what its documentation says: the status of a success, its sentence, and what OpenAPI declares.
 *
 * @example
 * @Post('manage-status')
 * @Endpoint({ summary: 'Manage a status', description: '...', answers: 'status.updated', refuses: ['status.not_permitted'] })
 * manageStatus(@ValidatedBody() body: ManageStatusDto): Promise<void> { ... }
 */
export function Endpoint(notes: EndpointNotes): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ApiOperation({ summary: notes.summary, description: notes.description }),
    ApiExtension(NOTES, notes),
    ...(notes.answers ? [AnswersWith(notes.answers)] : []),
  );
}
