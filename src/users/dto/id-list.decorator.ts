import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type ErrorCode, type ErrorLocation } from '../../contract/errors';
import { LIMITS } from '../../contract/limits';
import { firstIndexes } from '../../records/first-indexes';
import { Checked } from '../../server/body-field.decorators';

/** What the documentation of a list says: what it names, and at most how many. */
interface IdListNotes {
  description: string;
  maxItems: number;
  example: string[];
}

/**
 * A list of ids of records, which must name at least one. Its elements are text; a text that can be no id is an unknown
 * id.
 *
 * class-validator's own rules do not tell these refusals apart: `@ArrayNotEmpty` refuses a text, and `each` does not
 * say which element.
 *
 * @example @IdList('user.required', 'user.invalid', { description: 'The users.', maxItems: 10_000, example: ['ben'] })
 * userIds!: string[];
 */
export function IdList(required: ErrorCode, invalid: ErrorCode, notes: IdListNotes): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ ...documented(notes), minItems: 1 }),
    Checked('isGiven', (value) => !isNothing(value), { code: required }),
    Checked('isIdList', isListOfTexts, { code: invalid, locate: misplaced }),
  );
}

/** As {@link IdList}, for a list that can be missing, null or empty. */
export function OptionalIdList(invalid: ErrorCode, notes: IdListNotes): PropertyDecorator {
  const accepts = (value: unknown) => isNothing(value) || isListOfTexts(value);
  return applyDecorators(
    ApiPropertyOptional({ ...documented(notes), nullable: true }),
    Checked('isIdList', accepts, { code: invalid, locate: misplaced }),
  );
}

function documented(notes: IdListNotes) {
  return { type: 'array' as const, items: { type: 'string', minLength: 1, maxLength: LIMITS.identifier }, ...notes };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

const isText = (value: unknown): value is string => typeof value === 'string';

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function misplaced(value: unknown): ErrorLocation[] {
  if (!Array.isArray(value)) return [{ pointer: '' }];
  const wrong = firstIndexes(value, (id) => !isText(id), LIMITS.errorLocations);
  return wrong.map((index) => ({ pointer: `/${index}` }));
}
