import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { type ErrorCode, type ErrorDetails, type ErrorLocation, ERRORS, ServiceError } from '../contract/errors';

/** Refuses a body that is not a JSON object. As a merge patch, it would replace the whole record (RFC 7396 section 2). */
export class ObjectPipe implements PipeTransform {
  transform(value: unknown): object {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ServiceError('request.malformed');
    return value;
  }
}

/** The class of a body or of a query: the names of its fields, and the rule of each. */
export type ShapeClass = new () => object;

const VALIDATION = { stopAtFirstError: true, forbidUnknownValues: false };

/** The context of a class-validator rule for a body: the error code of the refusal. */
export interface Refusal {
  code: ErrorCode;
  args?: ErrorDetails['args'];
  /** The positions of the error inside the value; the value itself by default. */
  locate?: (value: unknown) => ErrorLocation[];
  /** Whether it takes precedence over errors of properties that are declared earlier. */
  comesFirst?: boolean;
}

/**
 * Builds the handler's body class from declared properties alone. A wrong shape is refused with the code of the first
 * property, in the order of declaration, whose rule fails. Query parameters are refused with the code `query.invalid`,
 * which names the parameter.
 *
 * Properties are picked one by one, never merged or walked: a body can contain `__proto__`, or be a thousand levels
 * deep.
 */
export class ShapePipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'query') return checkedQuery(value, metatype as ShapeClass);
    const body = pick(value, metatype as ShapeClass);
    const rules = rulesOf(metatype as ShapeClass);
    const failures = validateSync(body, VALIDATION);
    const failure = failures.find((one) => refusalOf(one, rules)?.comesFirst) ?? failures[0];
    if (failure) throw refusal(failure, refusalOf(failure, rules));
    return body;
  }
}

/** Query parameters are text, which class-transformer converts as the rules of the class require. */
function checkedQuery(value: unknown, metatype: ShapeClass): object {
  const query = plainToInstance(metatype, pick(value, metatype));
  const [failure] = validateSync(query, VALIDATION);
  if (failure) throw new ServiceError('query.invalid', { args: { name: failure.property } });
  return query;
}

function pick(value: unknown, metatype: ShapeClass): object {
  const body = new metatype();
  if (typeof value !== 'object' || value === null) return body;
  for (const property of namesOf(metatype)) {
    if (Object.hasOwn(value, property)) Reflect.set(body, property, Reflect.get(value, property));
  }
  return body;
}

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** In the order of declaration, which is the order of the checks. */
function rulesOf(metatype: ShapeClass): readonly Rule[] {
  return getMetadataStorage().getTargetValidationMetadatas(metatype, '', true, false);
}

/** The names that a class declares; none without a class. */
export function namesOf(metatype: ShapeClass | undefined): ReadonlySet<string> {
  return new Set(metatype && rulesOf(metatype).map(({ propertyName }) => propertyName));
}

/** The context comes from the rule itself: class-validator reports none for a rule without a message, and our rules have none. */
function refusalOf(failure: ValidationError, rules: readonly Rule[]): Refusal | undefined {
  const [failed] = Object.keys(failure.constraints ?? {});
  const rule = rules.find(({ propertyName, name }) => propertyName === failure.property && name === failed);
  return rule?.context as Refusal | undefined;
}

function refusal(failure: ValidationError, context: Refusal | undefined): ServiceError {
  const code = context?.code ?? 'request.malformed';
  // A position would reveal to a probe that the caller's token is valid: refusals of the caller must not differ.
  const inside = context?.locate?.(failure.value) ?? [{ pointer: '' }];
  const located = inside.map(({ pointer, ...id }) => ({ pointer: `/${failure.property}${pointer}`, ...id }));
  const errors = ERRORS[code].status === 401 ? undefined : located;
  return new ServiceError(
    code,
    { args: context?.args, errors },
    { cause: `${failure.property} is missing or malformed` },
  );
}
