/** The types of refusals of RFC 7644 section 3.12 that this package makes. What is too large has no type there: it is 413. */
export type RefusalKind =
  'invalidFilter' | 'invalidSyntax' | 'invalidPath' | 'invalidValue' | 'noTarget' | 'mutability' | 'tooLarge';

/**
 * A request that cannot be carried out. The detail is in English, for the log of an identity provider, where an administrator reads it.
 *
 * @example throw new ScimRefusal('invalidValue', 'active has a value of another type.');
 */
export class ScimRefusal extends Error {
  constructor(
    readonly kind: RefusalKind,
    readonly detail: string,
  ) {
    super(`${kind}: ${detail}`);
  }
}

/** The body of an answer of failure. Its status is text. */
export function errorBody(status: number, scimType: string | undefined, detail: string): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType && { scimType }),
    detail,
  };
}
