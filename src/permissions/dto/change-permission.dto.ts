import type { UserType } from '../../contract/directory';
import { DERIVED_FIELDS, FIXED_FIELDS } from '../../contract/record-fields';
import { RecordField } from '../../records/record-field.decorators';
import { ReadOnlyFields } from '../../server/body-field.decorators';

/** Missing fields stay as they are. Null clears the description. */
@ReadOnlyFields(...DERIVED_FIELDS, ...FIXED_FIELDS)
export class ChangePermissionDto {
  @RecordField('description')
  description?: string | null;

  @RecordField('grants')
  grants?: UserType;
}
