import { ApiProperty } from '@nestjs/swagger';
import type { UserStatus, UserType } from '../../contract/directory';
import { ToldField } from '../../records/record-field.decorators';
import { DirectPermissions, TimestampsDto, Next, Total, TotalDto } from '../../records/record.dto';

export class UserDto extends TimestampsDto {
  @ApiProperty({ example: 'ada' })
  id!: string;

  @ToldField('user', 'email')
  email!: string | null;

  @ToldField('user', 'displayName')
  displayName!: string | null;

  @ToldField('user', 'type')
  type!: UserType;

  @ToldField('user', 'status')
  status!: UserStatus;

  @ToldField('user', 'activeUntil')
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
