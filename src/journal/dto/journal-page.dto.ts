import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ACTOR_KINDS,
  type Actor,
  JOURNAL_ACTIONS,
  type JournalAction,
  type JournalFacts,
} from '../../contract/journal';

const facts = { type: 'object', additionalProperties: true, nullable: true } as const;

class ActorDto implements Actor {
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
  @ApiProperty({ example: '90194313216047', description: 'A decimal number that grows in the order of the journal.' })
  id!: string;

  @ApiProperty({ format: 'date-time', example: '2030-01-01T12:00:00.000Z' })
  at!: string;

  @ApiProperty({ enum: JOURNAL_ACTIONS, enumName: 'JournalAction', example: 'user.status.changed' })
  action!: JournalAction;

  @ApiProperty({ type: ActorDto, description: 'The caller that made the change.' })
  actor!: Actor;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'zoe',
    description: 'The administrator whose token granted it; null if that is the actor.',
  })
  grantedBy!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'dee', description: 'The changed user.' })
  user!: string | null;

  @ApiProperty({ type: [String], example: [], description: 'The workspaces of the change.' })
  workspaces!: string[];

  @ApiProperty({ ...facts, example: { status: 'active' }, description: 'The state before the change.' })
  before!: JournalFacts[JournalAction] | null;

  @ApiProperty({ ...facts, example: { status: 'inactive' }, description: 'The state after the change.' })
  after!: JournalFacts[JournalAction] | null;

  @ApiProperty({ type: String, nullable: true, example: 'Left the company', description: 'The given reason, if any.' })
  reason!: string | null;

  @ApiProperty({ type: String, nullable: true, example: '01940000-0000-7000-8000-000000000000' })
  requestId!: string | null;

  @ApiPropertyOptional({
    enum: [true],
    description:
      'The reason, the email addresses and the display names of this entry were erased, at the wish ' +
      'of a person whom its request concerned.',
  })
  erased?: true;
}

class UnsealedStatusesDto {
  @ApiProperty({ type: [String], example: ['ben'] })
  active!: string[];

  @ApiProperty({ type: [String], example: ['dee'], description: 'Also ids of no user.' })
  inactive!: string[];
}

export class JournalPageDto {
  @ApiProperty({ type: [JournalEntryDto], description: 'Newest first; with `after`, oldest first.' })
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
