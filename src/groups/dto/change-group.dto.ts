import { ApiPropertyOptional } from '../../openapi/documentation.decorators';
import { DERIVED_FIELDS, FIXED_FIELDS, isName } from '../../contract/record-fields';
import { FIELD_NOTES } from '../../openapi/field-notes';
import { IdListField, OptionalField, ReadOnlyFields } from '../../server/body-field.decorators';

/** Missing fields stay as they are. Null clears the list. */
@ReadOnlyFields(...DERIVED_FIELDS, ...FIXED_FIELDS, 'workspace')
export class ChangeGroupDto {
  @ApiPropertyOptional(FIELD_NOTES.name)
  @OptionalField(isName)
  name?: string;

  @ApiPropertyOptional(FIELD_NOTES.allPermissions)
  @IdListField()
  permissions?: string[] | null;
}
