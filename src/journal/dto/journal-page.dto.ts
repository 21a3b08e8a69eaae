import { ApiProperty } from '@nestjs/swagger';
import { ACTOR_KINDS, type Actor, type JournalEntry, JOURNAL_ACTIONS, type JournalPage } from '../../contract/journal';

const facts = { type: 'object', additionalProperties: true, nullable: true } as const;

class ActorDto implements Actor {
  @ApiProperty({
    enum: ACTOR_KINDS,
    example: 'user',
    description: 'A user of the directory, a service by the scope of its token, or this service by itself.',
  })
  kind!: Actor['kind'];

  @ApiProperty({ example: 'ada' })
  id!: string;
}

class JournalEntryDto implements JournalEntry {
  @ApiProperty({ example: '42', description: 'Grows with every change to the same user.' })
  id!: string;

  @ApiProperty({ format: 'date-time', example: '2030-01-01T12:00:00.000Z' })
  at!: string;

  @ApiProperty({ enum: JOURNAL_ACTIONS, enumName: 'JournalAction', example: 'user.status.changed' })
  action!: JournalEntry['action'];

  @ApiProperty({ type: ActorDto, description: 'Who did it.' })
  actor!: Actor;

  @ApiProperty({ type: String, nullable: true, example: 'zoe', description: 'Whose token granted the permission.' })
  grantedBy!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'dee', description: 'To whom it was done.' })
  user!: string | null;

  @ApiProperty({ type: [String], example: [], description: 'The workspaces that it concerns.' })
  workspaces!: string[];

  @ApiProperty({ ...facts, example: { status: 'active' }, description: 'What was true before.' })
  before!: JournalEntry['before'];

  @ApiProperty({ ...facts, example: { status: 'inactive' }, description: 'What was true after.' })
  after!: JournalEntry['after'];

  @ApiProperty({ type: String, nullable: true, example: 'Left the company', description: 'As the status token says.' })
  reason!: string | null;

  @ApiProperty({ type: String, nullable: true, example: '01940000-0000-7000-8000-000000000000' })
  requestId!: string | null;
}

export class JournalPageDto implements JournalPage {
  @ApiProperty({ type: [JournalEntryDto], description: 'Newest first; with `after`, oldest first.' })
  entries!: JournalEntry[];

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'MTg5MzQ5OTIwMDAwMC40Mg',
    description: 'The `cursor` of the next page, null on the last one; with `after`, the `after` of the next request.',
  })
  next!: string | null;
}
