import { Injectable } from '@nestjs/common';
import { TokenRefusedError } from '../auth/access-token.rules';
import type { Bearer } from '../auth/current-bearer.decorator';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { type IdempotentUnit, Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import type { Attribution } from '../contract/attribution';
import { changeUserStatus, type StatusChange } from './change-user-status';
import type { ManageStatusDto } from './dto/manage-status.dto';
import { type StatusGrant, StatusGrants } from './status-grants.service';

/** Activates or deactivates one user, as the token in the body permits. */
@Injectable()
export class ManageStatusService {
  constructor(
    private readonly transactions: Transactions,
    private readonly grants: StatusGrants,
    private readonly counts: ChangeCounts,
  ) {}

  async execute(
    request: ManageStatusDto,
    attribution: Attribution,
    bearer: Bearer,
    unit?: IdempotentUnit,
  ): Promise<void> {
    try {
      await this.change(request, attribution, bearer, unit);
    } catch (error) {
      throw error instanceof TokenRefusedError ? new ServiceError('status.not_permitted', {}, { cause: error }) : error;
    }
  }

  private async change(
    { id, token }: ManageStatusDto,
    attribution: Attribution,
    bearer: Bearer,
    unit?: IdempotentUnit,
  ): Promise<void> {
    const grant = await this.grants.read(token, bearer);
    const change = permittedChange(id, grant);
    const grantedBy = grant.grantedBy.id === attribution.actor.id ? undefined : grant.grantedBy.id;
    const permitted = { ...attribution, grantedBy, reason: grant.only?.reason };
    // Not what the unit of work gives back: that would be kept as its answer.
    let statuses = 0;
    await this.transactions.call(async (sender) => {
      statuses = (await changeUserStatus(sender, change, permitted)) === null ? 0 : 1;
    }, unit);
    this.counts.add({ statuses });
  }
}

/** A service's standing is in its token alone, and was judged when it gave the permission; a user's is judged again. */
function permittedChange(userId: string, { only }: StatusGrant): StatusChange {
  if (!isIdentifier(userId)) throw new TokenRefusedError('the user is unknown');
  if (!only) return { userId };
  if (only.userId !== userId) throw new TokenRefusedError('the status token is for another user');
  const { id, expiresAt, mintedBy } = only;
  return {
    userId,
    status: only.status,
    token: { id, expiresAt, mintedBy: mintedBy.kind === 'service' ? undefined : mintedBy.id },
  };
}
