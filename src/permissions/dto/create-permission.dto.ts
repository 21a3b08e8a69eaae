import { ApiProperty, ApiPropertyOptional } from '../../openapi/documentation.decorators';
import type { UserType } from '../../contract/directory';
import { isIdentifier } from '../../contract/identifiers';
import { DERIVED_FIELDS, isDescription, isUserType } from '../../contract/record-fields';
import { FIELD_NOTES } from '../../openapi/field-notes';
import { Field, NullableField, ReadOnlyFields } from '../../server/body-field.decorators';

@ReadOnlyFields(...DERIVED_FIELDS)
export class CreatePermissionDto {
  @ApiPropertyOptional(FIELD_NOTES.id)
  @NullableField(isIdentifier)
  id?: string | null;

  @ApiPropertyOptional(FIELD_NOTES.description)
  @NullableField(isDescription)
  description?: string | null;

  @ApiProperty(FIELD_NOTES.grants)
  @Field(isUserType)
  grants!: UserType;
}
