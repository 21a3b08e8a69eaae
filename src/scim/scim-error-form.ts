import { errorBody } from '@user-administration/scim-protocol';
import type { ErrorForm } from '../answers/answers';
import type { ErrorCode } from '../contract/errors';
import { ScimError, type ScimType } from './scim-error';
import { SCIM_PATH, SCIM_TYPE } from './scim-protocol';

/** The types of refusals of the use cases, which do not know SCIM. */
const TYPES: Partial<Record<ErrorCode, ScimType>> = {
  'body.not_json': 'invalidSyntax',
  'request.malformed': 'invalidSyntax',
  'field.invalid': 'invalidValue',
  'user.invalid': 'invalidValue',
  'field.read_only': 'mutability',
  'record.id_taken': 'uniqueness',
  'user.email_taken': 'uniqueness',
};

/** RFC 7644 section 3.12: the status is text. */
export const SCIM_ERRORS: ErrorForm = {
  path: SCIM_PATH,
  mediaType: SCIM_TYPE,
  patchTypes: `${SCIM_TYPE}, application/json`,
  body(error, detail) {
    const own = error instanceof ScimError ? error : undefined;
    const scimType = own ? own.scimType : TYPES[error.code];
    return errorBody(error.status, scimType, own?.detail ?? detail);
  },
};
