import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { USER_STATUSES, USER_TYPES, type UserStatus, type UserType } from '../../contract/directory';
import { type ErrorCode } from '../../contract/errors';

const ENDS = {
  type: 'object' as const,
  additionalProperties: { type: 'string' as const, format: 'date-time', nullable: true },
};

class ChangedTypeDto {
  @ApiProperty({ enum: USER_TYPES })
  before!: UserType;

  @ApiProperty({ enum: USER_TYPES })
  after!: UserType;
}

/** Ends of memberships, by the ids of workspaces and groups: ISO 8601 in UTC. */
class EndsDto {
  @ApiProperty(ENDS)
  workspaces!: Record<string, string | null>;

  @ApiProperty(ENDS)
  groups!: Record<string, string | null>;
}

export class ChangedPlacesDto {
  @ApiProperty()
  id!: string;

  @ApiProperty({ description: 'The workspaces that were added or removed.' })
  workspaces!: string[];

  @ApiProperty({ description: 'The groups that were added or removed.' })
  groups!: string[];

  @ApiPropertyOptional({
    description: 'The ends of these memberships, and the new ends of others; null for one that has no end any more.',
  })
  until?: EndsDto;

  @ApiPropertyOptional({ description: 'The type, if it changed.' })
  type?: ChangedTypeDto;
}

export class StatusBeforeAndAfterDto {
  @ApiProperty({ enum: USER_STATUSES })
  before!: UserStatus;

  @ApiProperty({ enum: USER_STATUSES })
  after!: UserStatus;
}

export class ChangedStatusDto {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  status!: StatusBeforeAndAfterDto;
}

export class RefusedIdDto {
  @ApiProperty({ description: 'A JSON pointer (RFC 6901) into the body of the request.' })
  pointer!: string;

  @ApiProperty()
  id!: string;

  @ApiProperty({ type: String, description: 'The error code, as in a problem document.' })
  code!: ErrorCode;
}

export class LeftOutDto {
  @ApiProperty({ type: 'integer', description: 'The number of users without a change.' })
  unchanged!: number;

  @ApiProperty({ type: [RefusedIdDto], description: 'The unknown ids that `handling=lenient` skipped.' })
  refused!: RefusedIdDto[];
}

class PlacesResultDto extends LeftOutDto {
  @ApiProperty({ type: [ChangedPlacesDto], description: 'The changed users, in order of id.' })
  users!: ChangedPlacesDto[];
}

class StatusesResultDto extends LeftOutDto {
  @ApiProperty({ type: [ChangedStatusDto], description: 'The changed users, in order of id.' })
  users!: ChangedStatusDto[];
}

export class DoneDto {
  @ApiProperty({ type: 'integer', enum: [200], description: 'The HTTP status, as a number.' })
  status!: 200;

  @ApiProperty({ description: 'One sentence, in the language of the caller.' })
  message!: string;
}

export class PlacesAnswerDto extends DoneDto {
  @ApiPropertyOptional({ description: 'For callers that ask for it.' })
  result?: PlacesResultDto;
}

export class StatusesAnswerDto extends DoneDto {
  @ApiPropertyOptional({ description: 'For callers that ask for it.' })
  result?: StatusesResultDto;
}
