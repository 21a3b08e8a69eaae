import { ApiPropertyOptional } from '../../openapi/documentation.decorators';
import type { UserStatus } from '../../contract/directory';
import { isIdentifier } from '../../contract/identifiers';
import { isEmail, isName, isUserStatus } from '../../contract/record-fields';
import { FIELD_NOTES } from '../../openapi/field-notes';
import { IdListField, NullableField, ReadOnlyFields } from '../../server/body-field.decorators';

@ReadOnlyFields('type', 'createdAt', 'updatedAt')
export class CreateUserDto {
  @ApiPropertyOptional(FIELD_NOTES.id)
  @NullableField(isIdentifier)
  id?: string | null;

  @ApiPropertyOptional(FIELD_NOTES.email)
  @NullableField(isEmail)
  email?: string | null;

  @ApiPropertyOptional(FIELD_NOTES.displayName)
  @NullableField(isName)
  displayName?: string | null;

  @ApiPropertyOptional(FIELD_NOTES.status)
  @NullableField(isUserStatus)
  status?: UserStatus | null;

  @ApiPropertyOptional(FIELD_NOTES.permissions)
  @IdListField()
  permissions?: string[] | null;

  @ApiPropertyOptional(FIELD_NOTES.workspaces)
  @IdListField()
  workspaces?: string[] | null;

  @ApiPropertyOptional(FIELD_NOTES.groups)
  @IdListField()
  groups?: string[] | null;
}
