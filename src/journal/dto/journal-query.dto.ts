import { ApiPropertyOptional } from '@nestjs/swagger';
import { DEFAULT_PAGE_LIMIT } from '../../openapi/page-limit.decorator';
import { JOURNAL_ACTIONS } from '../../contract/journal';
import { LIMITS } from '../../contract/limits';
import type { FollowerCursor } from '../follower-cursor';
import type { JournalFilter } from '../journal-filter';
import { recordableId } from '../recording-function';
import { IsFlag, IsId, IsInstant, IsWholeNumber, Parsed } from '../../server/query-value.decorators';
import { IsActions, IsEntryId, IsFollowerCursor, IsOnlyWhere, JournalPageLimit } from './journal-query.decorators';

const id = { minLength: 1 } as const;

export class JournalQueryDto implements JournalFilter {
  @ApiPropertyOptional({ description: 'Only changes of this user, also those under earlier ids of the user.', ...id })
  @IsId()
  user?: string;

  @ApiPropertyOptional({ description: 'Only changes in this workspace.', ...id })
  @IsId()
  workspace?: string;

  /**
   * The id of a service can be any text. The journal stores long ids shortened, so the filter shortens the given id in
   * the same way.
   */
  @ApiPropertyOptional({ description: 'Only changes by this user, service or system actor.', ...id })
  @Parsed((actor) => actor && recordableId(actor))
  @IsId()
  actor?: string;

  @ApiPropertyOptional({
    description: 'Only these actions. Repeat the parameter for each.',
    enum: JOURNAL_ACTIONS,
    enumName: 'JournalAction',
    isArray: true,
  })
  @IsActions()
  action?: string[];

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Only changes at this time or later: ISO 8601 with an offset, such as `2030-01-01T00:00:00Z`.',
  })
  @IsInstant()
  from?: Date;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Only changes before this time.' })
  @IsInstant()
  to?: Date;

  @JournalPageLimit()
  limit: number = DEFAULT_PAGE_LIMIT;

  @ApiPropertyOptional({
    type: String,
    description: 'The `next` of the previous page, with the same filters.',
  })
  @IsEntryId()
  @IsOnlyWhere(({ after }) => after === undefined)
  cursor?: number;

  @ApiPropertyOptional({
    type: String,
    description:
      'Follows the journal, oldest first: `start`, `now`, or `next` of the previous answer. Cannot be combined ' +
      'with `cursor`.',
  })
  @IsFollowerCursor()
  after?: FollowerCursor | 'now' | 'start';

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: LIMITS.journalWait,
    default: 0,
    description: 'With `after`: the maximum number of seconds to wait for an entry.',
  })
  @IsWholeNumber(0, LIMITS.journalWait)
  @IsOnlyWhere(({ after }) => after !== undefined)
  wait: number = 0;

  @ApiPropertyOptional({
    type: 'boolean',
    default: false,
    description:
      'Leaves out what can be long: `workspaces` is empty, and of `before` and `after` only `status`, `type` and ' +
      'the ids of a renaming remain.',
  })
  @IsFlag()
  brief: boolean = false;

  @ApiPropertyOptional({
    type: 'boolean',
    default: false,
    description: 'Does not wait until the newest changes have entries: `statuses` tells whom they concern.',
  })
  @IsFlag()
  statuses: boolean = false;
}
