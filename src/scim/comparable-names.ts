import { INVISIBLE } from '../contract/identifiers';

const IS_INVISIBLE = new RegExp(INVISIBLE, 'u');
const INVISIBLES = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code))
  .filter((character) => IS_INVISIBLE.test(character))
  .join('');

/** The name of a group as SCIM tells and compares it: made by hand, it can begin or end with what nobody sees. */
export function trimmedName(name: string): string {
  let [start, end] = [0, name.length];
  while (start < end && IS_INVISIBLE.test(name.charAt(start))) start++;
  while (start < end && IS_INVISIBLE.test(name.charAt(end - 1))) end--;
  return name.slice(start, end);
}

/** The same as {@link trimmedName} in SQL, and folded: names are equal whatever their case. */
export const comparableName = (name: string): string => `fold_case(btrim(${name}, '${INVISIBLES}'))`;
