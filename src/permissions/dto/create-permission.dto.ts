import type { UserType } from '../../contract/directory';
import { DERIVED_FIELDS } from '../../contract/record-fields';
import { RecordField, RequiredField } from '../../records/record-field.decorators';
import { ReadOnlyFields } from '../../server/body-field.decorators';

@ReadOnlyFields(...DERIVED_FIELDS)
export class CreatePermissionDto {
  @RecordField('id')
  id?: string | null;

  @RecordField('description')
  description?: string | null;

  @RequiredField('grants')
  grants!: UserType;
}
