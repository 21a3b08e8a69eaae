import { Allow } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { USER_STATUSES } from '../../contract/directory';
import { LIMITS } from '../../contract/limits';
import { identifier } from './assign-workspaces.dto';
import { Reason } from './reason.decorator';

/** The users are checked before the status, including whether they are known. So `assign-statuses.service.ts` checks everything. */
export class AssignStatusesDto {
  @ApiProperty({
    description: 'The users whose status is set. Repeated ids count once.',
    type: 'array',
    items: identifier,
    minItems: 1,
    maxItems: LIMITS.users,
    example: ['ben', 'cyd', 'dee'],
  })
  @Allow()
  userIds?: unknown;

  @ApiProperty({ description: 'The status to set.', enum: USER_STATUSES, example: 'inactive' })
  @Allow()
  status?: unknown;

  @Reason('The project has ended')
  reason?: unknown;
}
