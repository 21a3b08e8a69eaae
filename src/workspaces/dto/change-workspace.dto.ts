import { DERIVED_FIELDS, FIXED_FIELDS } from '../../contract/record-fields';
import { RecordField } from '../../records/record-field.decorators';
import { ReadOnlyFields } from '../../server/body-field.decorators';

/** Missing fields stay as they are. Null clears the list. */
@ReadOnlyFields(...DERIVED_FIELDS, ...FIXED_FIELDS)
export class ChangeWorkspaceDto {
  @RecordField('name')
  name?: string;

  @RecordField('allPermissions')
  permissions?: string[] | null;
}
