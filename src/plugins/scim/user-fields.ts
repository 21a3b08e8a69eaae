import {
  applyPatch,
  type Complex,
  emailsOf,
  namesOf,
  readResource,
  USER_TYPE,
} from '@user-administration/scim-protocol';
import { LIMITS } from '../door';
import { isEmail, isName, isTextOf, toEmail } from '../../contract/field.rules';
import { ScimError } from './scim-error';

/** A user of a request: the fields for our record, and those that the connection stores. */
export interface UserFields {
  userName: string;
  externalId: string | null;
  /** The name for our record, if the provider gives one. */
  displayName: string | null;
  /** The address for our record, if one is valid there. */
  email: string | null;
  /** Undefined if the provider does not send it. */
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

/** The user that a request asks for. */
export interface Wanted extends UserFields {
  /** Whether the request determines our email, or our display name. Otherwise the values of an administrator stay. */
  setsEmail: boolean;
  setsName: boolean;
}

/**
 * A PUT determines all fields.
 *
 * @throws ScimError
 */
export function replacedUser(body: unknown): Wanted {
  return { ...fieldsOf(readResource(body, USER_TYPE)), setsEmail: true, setsName: true };
}

/**
 * A PATCH determines the fields that it names or changes.
 *
 * @throws ScimError
 */
export function patchedUser(
  { userName, externalId, resource: others }: Pick<UserFields, 'userName' | 'externalId' | 'resource'>,
  body: unknown,
): Wanted {
  // Without `active`, which only counts if the request sends it.
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

/** Indexes store these names, and have a limit. */
function requireText(name: string, value: unknown): string {
  if (isTextOf(value, 1, LIMITS.email)) return value;
  throw new ScimError('invalidValue', `${name} has 1 to ${LIMITS.email} characters.`);
}

/** The first name that our record can have. */
function nameIn(resource: Complex): string | null {
  const { displayName } = resource;
  if (typeof displayName === 'string' && displayName !== '' && !isName(displayName))
    throw new ScimError('invalidValue', `displayName has at most ${LIMITS.name} characters.`);
  return namesOf(resource).find((name) => isName(name)) ?? null;
}

/** The first address that our record can have. A user name can be one, too. */
function emailIn(resource: Complex, userName: string): string | null {
  const address = [...emailsOf(resource), userName.trim()].find((value) => isEmail(value));
  return address === undefined ? null : toEmail(address);
}
