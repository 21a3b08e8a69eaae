import { Allow } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LIMITS } from '../../contract/limits';
import type { IdLists } from '../id-lists.rules';
import { Reason } from './reason.decorator';

/** OpenAPI cannot express a limit on a product. */
const TOGETHER = `Users times (workspaces plus groups) is at most ${LIMITS.memberships.toLocaleString('en')} memberships.`;

export const identifier = { type: 'string', minLength: 1, maxLength: LIMITS.identifier } as const;

/**
 * An assignment or an unassignment. The shape and the ids of each list are checked before the next list (docs/decisions.md), so the
 * fields are as sent, and `id-lists.rules.ts` checks them.
 */
export class AssignWorkspacesDto implements IdLists {
  @ApiProperty({
    description: `The users, active or not. Repeated ids count once. ${TOGETHER}`,
    type: 'array',
    items: identifier,
    minItems: 1,
    maxItems: LIMITS.users,
    example: ['ben', 'cyd', 'dee'],
  })
  @Allow()
  userIds?: unknown;

  @ApiProperty({
    description: 'The workspaces. Repeated ids count once.',
    type: 'array',
    items: identifier,
    minItems: 1,
    maxItems: LIMITS.workspaces,
    example: ['atlas', 'borealis'],
  })
  @Allow()
  workspaces?: unknown;

  @ApiPropertyOptional({
    description: 'Groups of these workspaces. Missing, null or empty: none.',
    type: 'array',
    nullable: true,
    items: identifier,
    maxItems: LIMITS.groups,
    example: ['atlas-editors', 'borealis-managers'],
  })
  @Allow()
  groups?: unknown;

  @Reason('Joins the launch team')
  reason?: unknown;
}
