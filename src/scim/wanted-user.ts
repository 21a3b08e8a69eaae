import { applyPatch, type Complex, patchNames, readResource, USER_TYPE } from '@user-administration/scim-protocol';
import { type KeptUser, toPatchable } from './kept-user';
import { fieldsOf, type UserFields } from './user-fields';

/** What a request makes of a user. */
export interface Wanted extends UserFields {
  /** Whether our email, or our display name, follows from the request. What an administrator wrote here stays otherwise. */
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
export function patchedUser(kept: KeptUser, body: unknown): Wanted {
  const before: Complex = toPatchable(kept);
  const known = fieldsOf(before);
  const fields = fieldsOf(applyPatch(before, body, USER_TYPE).resource);
  const names = patchNames(body, USER_TYPE);
  return {
    ...fields,
    setsEmail: names.has('emails') || fields.email !== known.email,
    setsName: names.has('displayName') || fields.displayName !== known.displayName,
  };
}
