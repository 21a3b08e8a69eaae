import type { UserStatus } from '../../contract/directory';
import { RecordField } from '../../records/record-field.decorators';
import { ReadOnlyFields } from '../../server/body-field.decorators';

/** The rules of these fields are in `contract/record-fields.ts`. */
@ReadOnlyFields('type', 'createdAt', 'updatedAt')
export class CreateUserDto {
  @RecordField('userId')
  id?: string | null;

  @RecordField('email')
  email?: string | null;

  @RecordField('displayName')
  displayName?: string | null;

  @RecordField('status')
  status?: UserStatus | null;

  @RecordField('activeUntil')
  activeUntil?: string | null;

  @RecordField('permissions')
  permissions?: string[] | null;

  @RecordField('workspaces')
  workspaces?: string[] | null;

  @RecordField('groups')
  groups?: string[] | null;
}
