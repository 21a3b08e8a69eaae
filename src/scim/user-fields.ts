import { LIMITS } from '../contract/limits';
import { isEmail, isName, isTextOf, toEmail } from '../contract/record-fields';
import { ScimError } from './scim-error';
import type { Complex } from './scim-resource';

/** What a user of a connection is: the fields of our record, and what the connection keeps. */
export interface UserFields {
  userName: string;
  externalId: string | null;
  displayName: string | null;
  /** The address for our record, if one of the emails can be that. */
  email: string | null;
  /** Undefined if the provider does not say. */
  active: boolean | undefined;
  /** All other attributes. */
  resource: Complex;
}

/** @throws ScimError `invalidValue` */
export function fieldsOf(given: Complex): UserFields {
  const { userName, externalId, displayName, active, ...resource } = given;
  return {
    userName: requireText('userName', userName),
    externalId: externalId === undefined || externalId === '' ? null : requireText('externalId', externalId),
    displayName: displayName === undefined || displayName === '' ? null : requireName(displayName),
    email: emailIn(resource),
    active: active as boolean | undefined,
    resource,
  };
}

/** The names are in indexes, which take no longer ones. */
function requireText(name: string, value: unknown): string {
  if (isTextOf(value, 1, LIMITS.email)) return value;
  throw new ScimError('invalidValue', `${name} has 1 to ${LIMITS.email} characters.`);
}

function requireName(value: unknown): string {
  if (isName(value)) return value;
  throw new ScimError('invalidValue', `displayName has at most ${LIMITS.name} characters.`);
}

/** The primary address, else the first for work, else the first. If it can be no address of ours, no other takes its place. */
function emailIn({ emails = [] }: Complex): string | null {
  const all = emails as Complex[];
  const ofWork = all.find(({ type }) => typeof type === 'string' && type.toLowerCase() === 'work');
  const value = (all.find(({ primary }) => primary === true) ?? ofWork ?? all[0])?.value;
  return isEmail(value) ? toEmail(value) : null;
}
