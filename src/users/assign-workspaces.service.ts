import { Injectable } from '@nestjs/common';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import { type IdempotentUnit, Transactions } from '../database/transactions';
import { ChangeCounts, type UserChanges } from '../directory/change-counts';
import { assignUsers, type Known } from './assign-users';
import type { Attribution } from '../contract/attribution';
import type { AssignWorkspacesDto } from './dto/assign-workspaces.dto';
import { refuseUnknown } from './refuse-unknown';
import { UserTypeService } from './user-type.service';

/** Puts many users into many workspaces and groups: all of them, or none. */
@Injectable()
export class AssignWorkspacesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly userTypes: UserTypeService,
    private readonly counts: ChangeCounts,
  ) {}

  /** Checks in the contract's order: of each list its shape, then whether all that it names exist, then the next list. */
  async execute(request: AssignWorkspacesDto, attribution: Attribution, unit?: IdempotentUnit): Promise<void> {
    refuseShape(request, 'userIds');
    const userIds = identifiers(request, 'userIds');
    const workspaceIds = identifiers(request, 'workspaces');
    const groupIds = identifiers(request, 'groups');
    const tooMany = excess(userIds.size, workspaceIds.size, groupIds.size);
    // Nobody is looked for then, so what can be told without looking comes first.
    if (tooMany) throw shapeError(request, 'workspaces') ?? shapeError(request, 'groups') ?? tooMany;

    const isHopeless = LISTS.some((list) => isWrong(request, list));
    const assignment = { userIds: [...userIds], workspaceIds: [...workspaceIds], groupIds: [...groupIds] };
    // Not what the unit of work gives back: that would be kept as its answer.
    let changes: Partial<UserChanges> = {};
    await this.transactions.call(async (sender) => {
      const outcome = await assignUsers(sender, assignment, attribution, this.userTypes.derivation, isHopeless);
      if ('known' in outcome) refuse(request, outcome.known);
      else changes = outcome.changes;
    }, unit);
    this.counts.add(changes);
  }
}

const LISTS = ['userIds', 'workspaces', 'groups'] as const;
type List = (typeof LISTS)[number];

/** @throws ServiceError for the first list that is wrong */
function refuse(request: AssignWorkspacesDto, known: Known): never {
  refuseUnknown('userIds', request.userIds, new Set(known.users), 'user.invalid');
  refuseShape(request, 'workspaces');
  refuseUnknown('workspaces', request.workspaces, new Set(known.workspaces), 'workspace.invalid');
  refuseShape(request, 'groups');
  refuseUnknown('groups', request.groups ?? [], new Set(known.groups), 'group.invalid');
  throw new Error('Nothing was written, though everything is known.');
}

function shapeError(request: AssignWorkspacesDto, list: List): ServiceError | undefined {
  return request.shapeErrors.find(({ property }) => property === list)?.error;
}

function refuseShape(request: AssignWorkspacesDto, list: List): void {
  const error = shapeError(request, list);
  if (error) throw error;
}

/** The ids of a list that can be ids at all: the rest are unknown, and nothing to ask the database for. */
function identifiers(request: AssignWorkspacesDto, list: List): Set<string> {
  return new Set(shapeError(request, list) ? [] : request[list]?.filter(isIdentifier));
}

/** Whether a list alone, whatever the directory holds, is reason enough to refuse the request. */
function isWrong(request: AssignWorkspacesDto, list: List): boolean {
  return shapeError(request, list) !== undefined || !(request[list] ?? []).every(isIdentifier);
}

function excess(users: number, workspaces: number, groups: number): ServiceError | undefined {
  const counts = { users, workspaces, groups, memberships: users * (workspaces + groups) };
  const what = (['users', 'workspaces', 'groups', 'memberships'] as const).find((list) => counts[list] > LIMITS[list]);
  return what && new ServiceError(`request.too_many_${what}`, { args: { max: LIMITS[what] } });
}
