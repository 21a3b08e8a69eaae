import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsDate, IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { isIdentifier, isStorableText } from '../contract/identifiers';
import { readInstant } from '../contract/instants';
import { LIMITS } from '../contract/limits';
import { isEmail, searchLength } from '../contract/field.rules';

/** White space of any kind separates words. */
const CONTROL = /[^\P{Cc}\s]/u;

const FINER_THAN_MILLISECONDS = /\.\d{3}\d*[1-9]/;

/**
 * Converts the text of a query parameter. A value that is not text, such as a parameter given twice, stays as it is.
 */
export function Parsed(parse: (text: string) => unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? parse(value) : value));
}

/** Longer than the id of any record. */
const NO_ID = 'x'.repeat(LIMITS.identifier + 1);

/**
 * PostgreSQL refuses some texts that cannot be ids, so each of them is replaced by an unknown id. An empty text stays,
 * and is refused.
 */
const toId = (text: string): string => (text === '' || isIdentifier(text) ? text : NO_ID);
const isGiven = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** The id of a record, which need not exist. */
export function IsId(): PropertyDecorator {
  return applyDecorators(IsOptional(), Parsed(toId), ValidateBy({ name: 'isId', validator: { validate: isGiven } }));
}

/** Ids, given by repeating the parameter. */
export function IsIds(): PropertyDecorator {
  const validate = (value: unknown) => Array.isArray(value) && value.length <= LIMITS.idsInList && value.every(isGiven);
  return applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: string | string[] }) => [value].flat().map(toId)),
    ValidateBy({ name: 'isIds', validator: { validate } }),
  );
}

/** Email addresses, given by repeating the parameter. What can be no address is that of nobody, as with ids. */
export function IsEmails(): PropertyDecorator {
  const toEmails = ({ value }: { value: string | string[] }) =>
    [value].flat().map((text) => (text === '' || isEmail(text) ? text : NO_ID));
  const validate = (value: unknown) => Array.isArray(value) && value.length <= LIMITS.idsInList && value.every(isGiven);
  return applyDecorators(IsOptional(), Transform(toEmails), ValidateBy({ name: 'isEmails', validator: { validate } }));
}

export function IsSearch(): PropertyDecorator {
  const validate = (value: unknown) => {
    if (!isStorableText(value) || value.length > 2 * LIMITS.search || CONTROL.test(value)) return false;
    return [...value].length <= LIMITS.search && searchLength(value) > 0;
  };
  return applyDecorators(IsOptional(), ValidateBy({ name: 'isSearch', validator: { validate } }));
}

export function IsWholeNumber(min: number, max: number): PropertyDecorator {
  return applyDecorators(
    Parsed((text) => (/^\d{1,9}$/.test(text) ? Number(text) : text)),
    IsInt(),
    Min(min),
    Max(max),
  );
}

/** `true` or `false`, and nothing else. */
export function IsFlag(): PropertyDecorator {
  return applyDecorators(
    Parsed((text) => (text === 'true' || text === 'false' ? text === 'true' : text)),
    IsBoolean(),
  );
}

/** A time, in ISO 8601 with an offset. */
export function IsInstant(): PropertyDecorator {
  return applyDecorators(IsOptional(), Parsed(toInstant), IsDate());
}

/** The first millisecond that is not earlier. */
function toInstant(text: string): Date | string {
  const date = readInstant(text);
  return date && FINER_THAN_MILLISECONDS.test(text) ? new Date(date.getTime() + 1) : (date ?? text);
}
