import { LIMITS } from '../../contract/limits';
import { IdList, OptionalIdList } from './id-list.decorator';
import { Reason } from './reason.decorator';
import { Until } from './until.decorator';

/** OpenAPI cannot express a limit on a product. */
const TOGETHER =
  `Users times (workspaces plus groups) is at most ${LIMITS.memberships.toLocaleString('en')} ` + 'memberships.';

/** An assignment or an unassignment. The fields are checked in this order. */
export class AssignWorkspacesDto {
  @IdList('user.required', 'user.invalid', {
    description: `The users, active or not. Repeated ids count once. ${TOGETHER}`,
    maxItems: LIMITS.users,
    example: ['ben', 'cyd', 'dee'],
  })
  userIds!: string[];

  @IdList('workspace.required', 'workspace.invalid', {
    description: 'The workspaces. Repeated ids count once.',
    maxItems: LIMITS.workspaces,
    example: ['atlas', 'borealis'],
  })
  workspaces!: string[];

  @OptionalIdList('group.invalid', {
    description: 'Groups of these workspaces. Missing, null or empty: none.',
    maxItems: LIMITS.groups,
    example: ['atlas-editors', 'borealis-managers'],
  })
  groups?: string[] | null;

  @Reason('Joins the launch team')
  reason?: string | null;

  @Until()
  until?: string | null;
}
