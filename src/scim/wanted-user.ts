import { applyPatch, type Complex, readResource, USER_TYPE } from '@user-administration/scim-protocol';
import { type ProvisionedUser, toPatchable } from './provisioned-user';
import { fieldsOf, type UserFields } from './user-fields';

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
export function patchedUser(user: ProvisionedUser, body: unknown): Wanted {
  const before: Complex = toPatchable(user);
  const known = fieldsOf(before);
  const { resource, named } = applyPatch(before, body, USER_TYPE);
  const fields = fieldsOf(resource);
  return {
    ...fields,
    setsEmail: named.has('emails') || fields.email !== known.email,
    setsName: named.has('displayName') || fields.displayName !== known.displayName,
  };
}
