import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LIMITS } from '../../contract/limits';
import { StagedBody } from '../../server/shape.pipe';
import { IdList } from './id-list.decorator';

/** OpenAPI has no word for a limit on a product. */
const TOGETHER = `Users times (workspaces plus groups) is at most ${LIMITS.memberships.toLocaleString('en')} memberships.`;

const identifier = { type: 'string', minLength: 1, maxLength: LIMITS.identifier } as const;

export class AssignWorkspacesDto extends StagedBody {
  @ApiProperty({
    description: `The users to assign. Repeated ids count once, and inactive users can be assigned. ${TOGETHER}`,
    type: 'array',
    items: identifier,
    minItems: 1,
    maxItems: LIMITS.users,
    example: ['ben', 'cyd', 'dee'],
  })
  @IdList({ required: 'user.required', invalid: 'user.invalid' })
  userIds!: string[];

  @ApiProperty({
    description: 'The workspaces to assign them to. Repeated ids count once.',
    type: 'array',
    items: identifier,
    minItems: 1,
    maxItems: LIMITS.workspaces,
    example: ['atlas', 'borealis'],
  })
  @IdList({ required: 'workspace.required', invalid: 'workspace.invalid' })
  workspaces!: string[];

  @ApiPropertyOptional({
    description: 'Groups of these workspaces to assign them to as well. Left out, null or empty: none.',
    type: 'array',
    nullable: true,
    items: identifier,
    maxItems: LIMITS.groups,
    example: ['atlas-editors', 'borealis-managers'],
  })
  @IdList({ invalid: 'group.invalid' })
  groups?: string[] | null;
}
