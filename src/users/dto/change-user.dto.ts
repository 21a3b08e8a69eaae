import { DERIVED_FIELDS, FIXED_FIELDS } from '../../contract/record-fields';
import { RecordField } from '../../records/record-field.decorators';
import { ReadOnlyFields } from '../../server/body-field.decorators';

/** Missing fields stay as they are. Null clears a field. */
@ReadOnlyFields(...DERIVED_FIELDS, ...FIXED_FIELDS)
export class ChangeUserDto {
  @RecordField('email')
  email?: string | null;

  @RecordField('displayName')
  displayName?: string | null;

  @RecordField('activeUntil')
  activeUntil?: string | null;

  @RecordField('allPermissions')
  permissions?: string[] | null;
}
