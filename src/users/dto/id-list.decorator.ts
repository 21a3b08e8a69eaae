import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import type { ErrorCode } from '../../contract/errors';
import type { Refusal } from '../../server/shape.pipe';

/**
 * A list of ids: refused as missing when nothing is in it (unless that is allowed), and as invalid when it is no list or
 * holds something other than text. One rule looks at the whole list, because a list may hold thousands.
 */
export function IdList(codes: { required?: ErrorCode; invalid: ErrorCode }): PropertyDecorator {
  return applyDecorators(
    ValidateBy(
      { name: 'isGiven', validator: { validate: (value) => codes.required === undefined || !isNothing(value) } },
      { context: { code: codes.required } },
    ),
    ValidateBy(
      { name: 'isListOfStrings', validator: { validate: (value) => isNothing(value) || isListOfStrings(value) } },
      { context: { code: codes.invalid, isElement: isString } satisfies Refusal },
    ),
  );
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every(isString);
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}
