import { ApiPropertyOptional } from '../../openapi/documentation.decorators';
import type { UserType } from '../../contract/directory';
import { DERIVED_FIELDS, FIXED_FIELDS, isDescription, isUserType } from '../../contract/record-fields';
import { FIELD_NOTES } from '../../openapi/field-notes';
import { NullableField, OptionalField, ReadOnlyFields } from '../../server/body-field.decorators';

/** Missing fields stay as they are. Null clears the description. */
@ReadOnlyFields(...DERIVED_FIELDS, ...FIXED_FIELDS)
export class ChangePermissionDto {
  @ApiPropertyOptional(FIELD_NOTES.description)
  @NullableField(isDescription)
  description?: string | null;

  @ApiPropertyOptional(FIELD_NOTES.grants)
  @OptionalField(isUserType)
  grants?: UserType;
}
