import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import type { AccessLine, AccessSource } from '../../../contract/access';
import { USER_STATUSES, USER_TYPES, type UserStatus, type UserType } from '../../../contract/directory';
import { ActorDto } from '../../../journal/dto/journal-page.dto';
import { ListUsersDto } from '../../../users/dto/list-users.dto';

/** The filters of the list of users. Every line of the users who match is told. */
export class AccessQueryDto extends OmitType(ListUsersDto, ['sort', 'total', 'limit', 'cursor'] as const) {}

class AccessUserDto {
  @ApiProperty({ example: 'ben' })
  id!: string;

  @ApiProperty({ type: String, nullable: true, example: 'ben@example.com' })
  email!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Ben' })
  displayName!: string | null;

  @ApiProperty({ enum: USER_TYPES })
  type!: UserType;

  @ApiProperty({ enum: USER_STATUSES })
  status!: UserStatus;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  activeUntil!: string | null;
}

class AccessSourceDto implements AccessSource {
  @ApiProperty({ enum: ['direct', 'workspace', 'group'], example: 'group' })
  kind!: 'direct' | 'workspace' | 'group';

  @ApiPropertyOptional({ example: 'atlas-managers' })
  id?: string;

  @ApiPropertyOptional({ example: 'Managers' })
  name?: string;

  @ApiPropertyOptional({ example: 'atlas' })
  workspace?: string;
}

/**
 * A line of the register: one user, and one source of what the user holds; null for a user without any. `since`,
 * `actor` and `reason` are those of the grant or the membership, and null where the journal does not know.
 */
export class AccessLineDto implements AccessLine {
  @ApiProperty()
  user!: AccessUserDto;

  @ApiProperty({
    type: AccessSourceDto,
    nullable: true,
  })
  source!: AccessSourceDto | null;

  @ApiProperty({ type: [String], example: ['workspace.manage'] })
  permissions!: string[];

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
  })
  since!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
  })
  until!: string | null;

  @ApiProperty({ type: ActorDto, nullable: true })
  actor!: ActorDto | null;

  @ApiProperty({ type: String, nullable: true, example: 'Project Atlas' })
  reason!: string | null;
}
