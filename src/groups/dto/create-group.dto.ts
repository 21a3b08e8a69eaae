import { ApiProperty, ApiPropertyOptional } from '../../openapi/documentation.decorators';
import { isIdentifier } from '../../contract/identifiers';
import { DERIVED_FIELDS, isName } from '../../contract/record-fields';
import { FIELD_NOTES } from '../../openapi/field-notes';
import { Field, IdListField, NullableField, ReadOnlyFields } from '../../server/body-field.decorators';

@ReadOnlyFields(...DERIVED_FIELDS)
export class CreateGroupDto {
  @ApiPropertyOptional(FIELD_NOTES.id)
  @NullableField(isIdentifier)
  id?: string | null;

  @ApiProperty(FIELD_NOTES.name)
  @Field(isName)
  name!: string;

  @ApiProperty({ example: 'atlas', description: 'The id of the workspace of the group.' })
  @Field(isIdentifier)
  workspace!: string;

  @ApiPropertyOptional(FIELD_NOTES.permissions)
  @IdListField()
  permissions?: string[] | null;
}
