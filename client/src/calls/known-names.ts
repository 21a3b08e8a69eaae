import { UserAdministrationError } from '../user-administration-error.ts';

/** The names of all properties of a type. The compiler refuses an object that lacks one, or has another. */
export function namesOf<Type extends object>(names: Record<keyof Type, true>): readonly string[] {
  return Object.keys(names);
}

/**
 * A misspelled filter would find everything, and a misspelled `dryRun` would make the change. TypeScript refuses such a name only in an
 * object literal.
 *
 * @throws UserAdministrationError with this code
 */
export function refuseUnknown(
  kind: 'filter' | 'option',
  given: object,
  known: readonly string[],
  code: 'client.argument_invalid' | 'client.option_invalid' = 'client.argument_invalid',
): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const detail = `There is no ${kind} ${JSON.stringify(unknown.slice(0, 100))} here. The ${kind}s are ${known.join(', ')}.`;
  throw new UserAdministrationError({ code, detail });
}

/**
 * The same for the options of a constructor: `timeout: 5` would leave `timeoutMs` at its default.
 *
 * @throws UserAdministrationError `client.option_invalid`
 */
export function refuseUnknownOptions<Options extends object>(given: Options, names: Record<keyof Options, true>): void {
  refuseUnknown('option', given, namesOf<Options>(names), 'client.option_invalid');
}
