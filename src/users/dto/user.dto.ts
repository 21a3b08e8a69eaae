import { ApiProperty } from '@nestjs/swagger';
import { USER_STATUSES, USER_TYPES, type UserStatus, type UserType } from '../../contract/directory';
import type { UserBody, WithPermissions } from '../../contract/records';
import { MomentsDto, Next } from '../../openapi/record.dto';

export class UserDto extends MomentsDto implements UserBody {
  @ApiProperty({ example: 'ada' })
  id!: string;

  @ApiProperty({ type: String, nullable: true, example: 'ada@example.com', description: 'Unique, whatever its case.' })
  email!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Ada' })
  displayName!: string | null;

  @ApiProperty({
    enum: USER_TYPES,
    example: 'administrator',
    description: 'Derived: the highest type that a permission grants which the user holds in any way.',
  })
  type!: UserType;

  @ApiProperty({ enum: USER_STATUSES, example: 'active' })
  status!: UserStatus;
}

export class UserRecordDto extends UserDto implements WithPermissions<UserBody> {
  @ApiProperty({
    type: [String],
    example: ['users.administer'],
    description: 'The ids of the permissions that the user was given directly, in order.',
  })
  permissions!: string[];
}

export class UserPageDto {
  @ApiProperty({ type: [UserDto] })
  users!: UserBody[];

  @Next()
  next!: string | null;
}
