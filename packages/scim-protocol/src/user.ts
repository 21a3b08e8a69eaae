import type { Complex, Value } from './resource';

/** The names of a user to show, the best first: `displayName`, `name.formatted`, and the given with the family name. */
export function namesOf({ displayName, name }: Complex): string[] {
  const { formatted, givenName, familyName } = (name ?? {}) as Complex;
  const both = [givenName, familyName].filter(isText).join(' ');
  return [displayName, formatted, both].filter(isText);
}

/** The addresses of a user without white space around them: the primary one, those of type `work`, the others. */
export function emailsOf({ emails = [] }: Complex): string[] {
  const rank = ({ primary, type }: Complex): number => {
    if (primary === true) return 0;
    return typeof type === 'string' && type.toLowerCase() === 'work' ? 1 : 2;
  };
  return (emails as Complex[])
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ value }) => value)
    .filter(isText)
    .map((value) => value.trim());
}

function isText(value: Value | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
