import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ACTOR_KINDS, type Actor, JOURNAL_ACTIONS } from '../../contract/journal';

const facts = { type: 'object', additionalProperties: true, nullable: true } as const;

export class ActorDto implements Actor {
  @ApiProperty({
    enum: ACTOR_KINDS,
    example: 'user',
    description: 'A user of the directory, a service, or this service itself (`system`).',
  })
  kind!: Actor['kind'];

  @ApiProperty({ example: 'ada' })
  id!: string;
}

/** One entry. */
export class JournalEntryDto {
  @ApiProperty({ description: 'A decimal number that grows in the order of the journal.' })
  id!: string;

  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiProperty({ enum: JOURNAL_ACTIONS, enumName: 'JournalAction', description: 'What was changed.' })
  action!: string;

  @ApiProperty({ type: ActorDto, description: 'The caller that made the change.' })
  actor!: Actor;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The administrator whose token granted it; null if that is the actor.',
  })
  grantedBy!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The changed user.' })
  user!: string | null;

  @ApiProperty({ type: [String], description: 'The workspaces of the change.' })
  workspaces!: string[];

  @ApiProperty({ ...facts, description: 'The state before the change.' })
  before!: object | null;

  @ApiProperty({ ...facts, description: 'The state after the change.' })
  after!: object | null;

  @ApiProperty({ type: String, nullable: true, description: 'The given reason, if any.' })
  reason!: string | null;

  @ApiProperty({ type: String, nullable: true })
  requestId!: string | null;

  @ApiPropertyOptional({
    enum: [true],
    description:
      'The reason, the email addresses and the display names of this entry were erased, at the wish ' +
      'of a person whom its request concerned.',
  })
  erased?: true;
}

/** Optional fields that exclude others are left out. */
const DEACTIVATION: JournalEntryDto = {
  id: '90194313216047',
  at: '2030-01-01T12:00:00.000Z',
  action: 'user.status.changed',
  actor: { kind: 'user', id: 'ada' },
  grantedBy: null,
  user: 'dee',
  workspaces: [],
  before: { status: 'active' },
  after: { status: 'inactive' },
  reason: 'Left the company',
  requestId: '01940000-0000-7000-8000-000000000000',
};

class UnsealedStatusesDto {
  @ApiProperty({ type: [String], example: ['ben'] })
  active!: string[];

  @ApiProperty({ type: [String], example: ['dee'], description: 'Also ids of no user.' })
  inactive!: string[];
}

export class JournalPageDto {
  @ApiProperty({
    type: [JournalEntryDto],
    example: [DEACTIVATION],
    description: 'Newest first; with `after`, oldest first.',
  })
  entries!: JournalEntryDto[];

  @ApiProperty({
    type: String,
    nullable: true,
    example: '90194313216047',
    description: 'The `cursor` of the next page, null on the last page; with `after`, the `after` of the next request.',
  })
  next!: string | null;

  @ApiPropertyOptional({
    type: UnsealedStatusesDto,
    description: 'The users whom changes without entries concern.',
  })
  statuses?: UnsealedStatusesDto;
}
