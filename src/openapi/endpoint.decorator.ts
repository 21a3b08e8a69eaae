import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtension, ApiOperation } from '@nestjs/swagger';
import { AnswersWith } from '../answers/answer.interceptor';
import type { AnswerKey } from '../contract/answers';
import type { AnyErrorCode, ErrorDetails } from '../contract/errors';

/** The documentation of a route, with its possible answers. */
export interface EndpointNotes {
  /** A few words: Swagger UI shows them in one line, beside the path. */
  summary: string;
  /** Markdown. */
  description: string;
  /** The status of a success; 200 by default. */
  status?: 200 | 201 | 204;
  /** The sentence of a success. A route with another answer declares it by `@ApiOkResponse` and similar decorators. */
  answers?: AnswerKey;
  /** Its success always has a result, which its own declaration describes. */
  hasResult?: true;
  /** Whether it supports `Prefer`. */
  preferences?: boolean;
  /** Its body is a file, and no JSON: an example for each media type. */
  files?: Readonly<Record<string, string>>;
  /** Its error codes, in the order of the checks. Codes of every route are added. */
  refuses?: readonly AnyErrorCode[];
  /** Values for the placeholders of refusals in the examples, if they differ from the catalogue. */
  refusalArgs?: Partial<Record<AnyErrorCode, ErrorDetails['args']>>;
  /** The parameters in the path, by name. */
  parameters?: Readonly<Record<string, { description: string; example: string }>>;
  /** Example bodies by name. Swagger UI fills in the first one. */
  examples?: Readonly<Record<string, { summary: string; value: object }>>;
}

/** The metadata key of the notes, which `openApiDocument` replaces by responses, parameters and examples. */
export const NOTES = 'x-notes';

/**
 * Makes a handler answer as documented: the status of a success, its sentence, and the OpenAPI declaration.
 *
 * @example
 * @Post('manage-status')
 * @Endpoint({ summary: 'Manage a status', description: '...', answers: 'status.updated', refuses:
 * ['status.not_permitted'] }) manageStatus(@ValidatedBody() body: ManageStatusDto): Promise<void> { ... }
 */
export function Endpoint(notes: EndpointNotes): MethodDecorator {
  return applyDecorators(
    HttpCode(notes.status ?? 200),
    ApiOperation({ summary: notes.summary, description: notes.description }),
    ApiExtension(NOTES, notes),
    ...(notes.answers ? [AnswersWith({ key: notes.answers, hasResult: notes.hasResult })] : []),
  );
}
