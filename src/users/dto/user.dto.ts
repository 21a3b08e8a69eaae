import { ApiProperty } from '@nestjs/swagger';
import { USER_STATUSES, USER_TYPES, type UserStatus, type UserType } from '../../contract/directory';
import { DirectPermissions, TimestampsDto, Next, Total, TotalDto } from '../../records/record.dto';

export class UserDto extends TimestampsDto {
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

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
    description: 'When the user is deactivated; null if never.',
  })
  activeUntil!: string | null;
}

export class UserRecordDto extends UserDto {
  @DirectPermissions('users.administer')
  permissions!: string[];
}

export class UserPageDto {
  @ApiProperty({ type: [UserDto] })
  users!: UserDto[];

  @Next()
  next!: string | null;

  @Total()
  total?: TotalDto;
}
