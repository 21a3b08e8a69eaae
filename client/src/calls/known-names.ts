import { UserAdministrationError } from '../user-administration-error.ts';

/** The names of all properties of a type. The compiler refuses an object that lacks one, or has another. */
export function namesOf<Type extends object>(names: Record<keyof Type, true>): readonly string[] {
  return Object.keys(names);
}

/**
 * A misspelled filter would find everything, and a misspelled `dryRun` would make the change. TypeScript refuses such a name only in an
 * object literal.
 *
 * @throws UserAdministrationError `client.argument_invalid`
 */
export function refuseUnknown(kind: 'filter' | 'option', given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const detail = `There is no ${kind} ${JSON.stringify(unknown.slice(0, 100))} here. The ${kind}s are ${known.join(', ')}.`;
  throw new UserAdministrationError({ code: 'client.argument_invalid', detail });
}
