import { ApiProperty } from '../../openapi/documentation.decorators';
import { USER_STATUSES, USER_TYPES, type UserStatus, type UserType } from '../../contract/directory';
import type { UserBody, WithPermissions } from '../../contract/records';
import { DirectPermissions, MomentsDto, Next } from '../../openapi/record.dto';

export class UserDto extends MomentsDto implements UserBody {
  @ApiProperty({ example: 'ada' })
  id!: string;

  @ApiProperty({ type: String, nullable: true, example: 'ada@example.com', description: 'Unique, regardless of case.' })
  email!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Ada' })
  displayName!: string | null;

  @ApiProperty({
    enum: USER_TYPES,
    example: 'administrator',
    description: 'The highest type that the permissions of the user grant.',
  })
  type!: UserType;

  @ApiProperty({ enum: USER_STATUSES, example: 'active' })
  status!: UserStatus;
}

export class UserRecordDto extends UserDto implements WithPermissions<UserBody> {
  @DirectPermissions('users.administer')
  permissions!: string[];
}

export class UserPageDto {
  @ApiProperty({ type: [UserDto] })
  users!: UserBody[];

  @Next()
  next!: string | null;
}
