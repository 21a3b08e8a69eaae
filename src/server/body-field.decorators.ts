import { ValidateBy } from 'class-validator';
import type { ErrorLocation } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import type { Refusal } from './shape.pipe';

type Accepts = (value: unknown) => boolean;

/** A rule of a field, and the refusal of a body that breaks it. The first rule of a field that fails refuses it. */
export function Checked(name: string, accepts: Accepts, context: Refusal): PropertyDecorator {
  return ValidateBy(
    { name, validator: { validate: accepts, defaultMessage: () => `$property: ${context.code}` } },
    { context },
  );
}

/** Fields that callers can read but not write. A body with one of them is refused, whatever else is wrong with it. */
export function ReadOnlyFields(...names: readonly string[]): ClassDecorator {
  return ({ prototype }) => {
    for (const field of names) {
      const context: Refusal = { code: 'field.read_only', args: { field }, comesFirst: true };
      Checked('isReadOnly', isAbsent, context)(prototype as object, field);
    }
  };
}

export function Field(accepts: Accepts, locate?: Refusal['locate']): PropertyDecorator {
  return (target, property) => {
    const context: Refusal = { code: 'field.invalid', args: { field: String(property) }, locate };
    Checked('isField', accepts, context)(target, property);
  };
}

export function OptionalField(accepts: Accepts): PropertyDecorator {
  return Field((value) => isAbsent(value) || accepts(value));
}

export function NullableField(accepts: Accepts): PropertyDecorator {
  return OptionalField((value) => value === null || accepts(value));
}

/** Ids of records; none if missing or null. Whether they are known is checked under lock. */
export function IdListField(): PropertyDecorator {
  return Field((value) => isAbsent(value) || value === null || isIdList(value), misplacedIds);
}

function isAbsent(value: unknown): value is undefined {
  return value === undefined;
}

function isIdList(value: unknown): boolean {
  return Array.isArray(value) && value.length <= LIMITS.idsInRecord && value.every(isIdentifier);
}

function misplacedIds(value: unknown): ErrorLocation[] {
  if (!Array.isArray(value) || value.length > LIMITS.idsInRecord) return [{ pointer: '' }];
  return value.flatMap((id: unknown, index) => {
    if (isIdentifier(id)) return [];
    return [{ pointer: `/${index}`, ...(typeof id === 'string' && { id }) }];
  });
}
