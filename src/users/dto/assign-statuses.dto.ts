import { IsIn } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { USER_STATUSES, type UserStatus } from '../../contract/directory';
import { LIMITS } from '../../contract/limits';
import type { Refusal } from '../../server/shape.pipe';
import { IdList } from './id-list.decorator';
import { Reason } from './reason.decorator';

const status = { context: { code: 'status.invalid' } satisfies Refusal };

/** The fields are checked in this order. */
export class AssignStatusesDto {
  @IdList('user.required', 'user.invalid', {
    description: 'The users whose status is set. Repeated ids count once.',
    maxItems: LIMITS.users,
    example: ['ben', 'cyd', 'dee'],
  })
  userIds!: string[];

  @ApiProperty({ description: 'The status to set.', enum: USER_STATUSES, example: 'inactive' })
  @IsIn(USER_STATUSES, status)
  status!: UserStatus;

  @Reason('The project has ended')
  reason?: string | null;
}
