import { IsIn, IsOptional } from 'class-validator';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { USER_STATUSES, USER_TYPES, type UserStatus, type UserType } from '../../contract/directory';
import { LIMITS } from '../../contract/limits';
import { USER_SORTS } from '../../records/list-orders';
import { FilterQueryDto } from '../../records/list-query.dto';
import { IsEmails, IsId, IsInstant } from '../../server/query-value.decorators';

export class ListUsersDto extends FilterQueryDto {
  @ApiPropertyOptional({
    type: [String],
    maxItems: LIMITS.idsInList,
    description:
      'Only users with one of these email addresses, regardless of case. Repeat the parameter for each address.',
  })
  @IsEmails()
  email?: string[];

  @ApiPropertyOptional({ enum: USER_STATUSES, description: 'Only users with this status.' })
  @IsOptional()
  @IsIn(USER_STATUSES)
  status?: UserStatus;

  @ApiPropertyOptional({ enum: USER_TYPES, description: 'Only users of this type.' })
  @IsOptional()
  @IsIn(USER_TYPES)
  type?: UserType;

  @ApiPropertyOptional({ description: 'Only users in the workspace with this id.' })
  @IsId()
  workspace?: string;

  @ApiPropertyOptional({ description: 'Only users in the group with this id.' })
  @IsId()
  group?: string;

  @ApiPropertyOptional({
    description: 'Only users who hold the permission with this id, directly or through a workspace or group.',
  })
  @IsId()
  permission?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description:
      'Only users whose account or any membership ends before this time, which is ISO 8601 with an offset. An end ' +
      'that is due, and not carried out yet, counts.',
  })
  @IsInstant()
  endsBefore?: Date;

  @ApiPropertyOptional({
    enum: USER_SORTS,
    default: 'id',
    description:
      'By id; by the time of creation or of the last change, the latest first; or by display name, regardless of ' +
      'case and accents: users without one come last.',
  })
  @IsOptional()
  @IsIn(USER_SORTS)
  sort: (typeof USER_SORTS)[number] = 'id';
}
