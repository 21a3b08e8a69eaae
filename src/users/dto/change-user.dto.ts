import { ApiPropertyOptional } from '../../openapi/documentation.decorators';
import { DERIVED_FIELDS, FIXED_FIELDS, isEmail, isName } from '../../contract/record-fields';
import { FIELD_NOTES } from '../../openapi/field-notes';
import { IdListField, NullableField, ReadOnlyFields } from '../../server/body-field.decorators';

/** Missing fields stay as they are. Null clears a field. */
@ReadOnlyFields(...DERIVED_FIELDS, ...FIXED_FIELDS)
export class ChangeUserDto {
  @ApiPropertyOptional(FIELD_NOTES.email)
  @NullableField(isEmail)
  email?: string | null;

  @ApiPropertyOptional(FIELD_NOTES.displayName)
  @NullableField(isName)
  displayName?: string | null;

  @ApiPropertyOptional(FIELD_NOTES.allPermissions)
  @IdListField()
  permissions?: string[] | null;
}
