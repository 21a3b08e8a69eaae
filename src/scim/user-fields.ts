import { applyPatch, type Complex, readResource, USER_TYPE, type Value } from '@user-administration/scim-protocol';
import { LIMITS } from '../contract/limits';
import { isEmail, isName, isTextOf, toEmail } from '../contract/record-fields';
import { ScimError } from './scim-error';

/** What a user of a connection is: the fields of our record, and what the connection keeps. */
export interface UserFields {
  userName: string;
  externalId: string | null;
  /** The name for our record, if the provider gives one. */
  displayName: string | null;
  /** The address for our record, if one can be that. */
  email: string | null;
  /** Undefined if the provider does not say. */
  active: boolean | undefined;
  /** All other attributes, and `displayName`, as they were sent. */
  resource: Complex;
}

/** @throws ScimError `invalidValue` */
export function fieldsOf(given: Complex): UserFields {
  const { userName, externalId, active, ...resource } = given;
  const name = requireText('userName', userName);
  return {
    userName: name,
    externalId: externalId === undefined || externalId === '' ? null : requireText('externalId', externalId),
    displayName: nameIn(resource),
    email: emailIn(resource, name),
    active: active as boolean | undefined,
    resource,
  };
}

/** What a request makes of a user. */
export interface Wanted extends UserFields {
  /**
   * Whether our email, or our display name, follows from the request. What an administrator wrote here stays otherwise.
   */
  setsEmail: boolean;
  setsName: boolean;
}

/**
 * Of a PUT: all.
 *
 * @throws ScimError
 */
export function replacedUser(body: unknown): Wanted {
  return { ...fieldsOf(readResource(body, USER_TYPE)), setsEmail: true, setsName: true };
}

/**
 * Of a PATCH: what it names, and what it changes.
 *
 * @throws ScimError
 */
export function patchedUser(
  { userName, externalId, resource: others }: Pick<UserFields, 'userName' | 'externalId' | 'resource'>,
  body: unknown,
): Wanted {
  // Without `active`, which only counts if the request says it.
  const before: Complex = { ...others, userName, ...(externalId !== null && { externalId }) };
  const known = fieldsOf(before);
  const { resource, named } = applyPatch(before, body, USER_TYPE);
  const fields = fieldsOf(resource);
  return {
    ...fields,
    setsEmail: named.has('emails') || fields.email !== known.email,
    setsName: named.has('displayName') || fields.displayName !== known.displayName,
  };
}

/** The names are in indexes, which take no longer ones. */
function requireText(name: string, value: unknown): string {
  if (isTextOf(value, 1, LIMITS.email)) return value;
  throw new ScimError('invalidValue', `${name} has 1 to ${LIMITS.email} characters.`);
}

/** The first that says something. */
function nameIn({ displayName, name }: Complex): string | null {
  if (typeof displayName === 'string' && displayName !== '' && !isName(displayName))
    throw new ScimError('invalidValue', `displayName has at most ${LIMITS.name} characters.`);
  const { formatted, givenName, familyName } = (name ?? {}) as Complex;
  const both = [givenName, familyName].filter(saysSomething).join(' ');
  return [displayName, formatted, both].find((one): one is string => saysSomething(one) && isName(one)) ?? null;
}

function saysSomething(value: Value | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** The first that can be an address of ours: the primary one, those for work, the others, then the name. */
function emailIn({ emails = [] }: Complex, userName: string): string | null {
  const all = emails as Complex[];
  const rank = ({ primary, type }: Complex): number => {
    if (primary === true) return 0;
    return typeof type === 'string' && type.toLowerCase() === 'work' ? 1 : 2;
  };
  const inOrder = all.toSorted((one, other) => rank(one) - rank(other)).map(({ value }) => value);
  for (const value of [...inOrder, userName]) {
    const address = typeof value === 'string' ? value.trim() : undefined;
    if (isEmail(address)) return toEmail(address);
  }
  return null;
}
