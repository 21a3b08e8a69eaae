import { type ArgumentMetadata, type PipeTransform, ValidationPipe, type ValidationPipeOptions } from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { type ErrorCode, type ErrorDetails, type ErrorLocation, ServiceError } from '../contract/errors';
import type { PluginErrors } from '../contract/plugin-errors';

/**
 * Refuses a body that is not a JSON object. As a merge patch, it would replace the whole record (RFC 7396 section 2).
 */
export class ObjectPipe implements PipeTransform {
  transform(value: unknown): object {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ServiceError('request.malformed');
    return value;
  }
}

/** The class of a body or of a query: the names of its fields, and the rule of each. */
export type ShapeClass = new () => object;

/** The code of a refusal of the service, or of the plugin that declares it. */
type Code = { code: ErrorCode; of?: undefined } | { code: string; of: PluginErrors };

/** The context of a class-validator rule for a body: the error code of the refusal. */
export type Refusal = Code & {
  args?: ErrorDetails['args'];
  /** The positions of the error inside the value; the value itself by default. */
  locate?: (value: unknown) => ErrorLocation[];
  /** Whether it takes precedence over errors of properties that are declared earlier. */
  comesFirst?: boolean;
};

function refuse({ code, of }: Code, details: ErrorDetails, options?: ErrorOptions): ServiceError {
  return of ? of.refusal(code, details, options) : new ServiceError(code as ErrorCode, details, options);
}

const OPTIONS: ValidationPipeOptions = { whitelist: true, transform: true, stopAtFirstError: true };

/**
 * Nest's pipe for query parameters: text, which class-transformer converts. `query.invalid` names the first wrong
 * parameter. Text whose rule has a code of its own is refused with that code; a parameter given twice is no text.
 */
export const queryPipe = new ValidationPipe({
  ...OPTIONS,
  exceptionFactory: ([failure]) => {
    const refusal = typeof failure?.value === 'string' ? contextOf(failure) : undefined;
    return refusal
      ? refuse(refusal, { args: refusal.args })
      : new ServiceError('query.invalid', { args: { name: failure?.property ?? '' } });
  },
});

/**
 * Nest's pipe for bodies. It gets the declared fields alone, and of a field no more than a list: class-transformer
 * walks recursively, and a body can have 200,000 levels or a field `__proto__`. No field of a body is deeper than a
 * list, so what is left out would be refused.
 *
 * A wrong body is refused with the code of the first field, in the order of declaration, whose rule fails.
 */
export class ShapePipe extends ValidationPipe {
  constructor() {
    super({ ...OPTIONS, exceptionFactory: refusalOf });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    return super.transform(declared(value, metadata.metatype as ShapeClass), metadata);
  }
}

function declared(value: unknown, metatype: ShapeClass): object {
  const given: Record<string, unknown> = {};
  if (typeof value !== 'object' || value === null) return given;
  for (const name of namesOf(metatype)) {
    if (Object.hasOwn(value, name)) given[name] = shallow(Reflect.get(value, name));
  }
  return given;
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;

function shallow(value: unknown): unknown {
  if (Array.isArray(value))
    return value.some(isNested) ? value.map((one) => (isNested(one) ? {} : (one as unknown))) : value;
  return isNested(value) ? {} : value;
}

/**
 * The names that a class declares, in the order of declaration, which is the order of the checks; none without a class.
 */
export function namesOf(metatype: ShapeClass | undefined): ReadonlySet<string> {
  const rules = metatype ? getMetadataStorage().getTargetValidationMetadatas(metatype, '', true, false) : [];
  return new Set(rules.map(({ propertyName }) => propertyName));
}

function contextOf(failure: ValidationError | undefined): Refusal | undefined {
  const [context] = Object.values(failure?.contexts ?? {}) as Refusal[];
  return context;
}

function refusalOf(failures: ValidationError[]): ServiceError {
  const failure = failures.find((one) => contextOf(one)?.comesFirst) ?? failures[0];
  const refusal: Refusal = contextOf(failure) ?? { code: 'request.malformed' };
  const { args, locate } = refusal;
  const property = failure?.property ?? '';
  // A position would reveal to a probe that the caller's token is valid: refusals of the caller must not differ.
  const inside = locate?.(failure?.value) ?? [{ pointer: '' }];
  const located = inside.map(({ pointer, ...id }) => ({ pointer: `/${property}${pointer}`, ...id }));
  const cause = { cause: `${property} is missing or malformed` };
  const unlocated = refuse(refusal, { args }, cause);
  return unlocated.status === 401 ? unlocated : refuse(refusal, { args, errors: located }, cause);
}
