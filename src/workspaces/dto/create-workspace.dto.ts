import { DERIVED_FIELDS } from '../../contract/record-fields';
import { RecordField, RequiredField } from '../../records/record-field.decorators';
import { ReadOnlyFields } from '../../server/body-field.decorators';

@ReadOnlyFields(...DERIVED_FIELDS)
export class CreateWorkspaceDto {
  @RecordField('id')
  id?: string | null;

  @RequiredField('name')
  name!: string;

  @RecordField('permissions')
  permissions?: string[] | null;
}
