import { ApiProperty } from '../../openapi/documentation.decorators';
import { isIdentifier } from '../../contract/identifiers';
import { DERIVED_FIELDS } from '../../contract/record-fields';
import { RecordField, RequiredField } from '../../records/record-field.decorators';
import { Field, ReadOnlyFields } from '../../server/body-field.decorators';

@ReadOnlyFields(...DERIVED_FIELDS)
export class CreateGroupDto {
  @RecordField('id')
  id?: string | null;

  @RequiredField('name')
  name!: string;

  @ApiProperty({ example: 'atlas', description: 'The id of the workspace of the group.' })
  @Field(isIdentifier)
  workspace!: string;

  @RecordField('permissions')
  permissions?: string[] | null;
}
