import { Injectable } from '@nestjs/common';
import { TokenRefusedError } from '../auth/access-token.rules';
import type { Bearer } from '../auth/current-bearer.decorator';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { doneIf, type IdempotentUnit, Transactions } from '../database/transactions';
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
      throw inOwnWords(error);
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
    const outcome = await this.transactions.call(
      (sender) => changeUserStatus(sender, change, permitted),
      unit,
      (status) => doneIf(status === 'changed'),
    );
    this.counts.add({ statuses: outcome === 'changed' ? 1 : 0 });
  }
}

function permittedChange(userId: string, { only, grantedBy: granter }: StatusGrant): StatusChange {
  if (!isIdentifier(userId)) throw new TokenRefusedError('the user is unknown');
  if (!only) return { userId, granter };
  if (only.userId !== userId) throw new TokenRefusedError('the status token is for another user');
  const { id, expiresAt, status } = only;
  return { userId, status, token: { id, expiresAt }, granter };
}

/** The specification has its own sentences for this route. */
function inOwnWords(error: unknown): unknown {
  if (error instanceof TokenRefusedError) return new ServiceError('status.not_permitted', {}, { cause: error });
  const isLast = error instanceof ServiceError && error.code === 'directory.last_administrator';
  return isLast ? new ServiceError('status.last_administrator', {}, { cause: error }) : error;
}
