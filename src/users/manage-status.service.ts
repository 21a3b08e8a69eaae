import { Injectable } from '@nestjs/common';
import { TokenRefusedError } from '../auth/access-token.rules';
import type { Bearer } from '../auth/current-bearer.decorator';
import type { ChangeContext } from '../auth/change-context';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { prepared } from '../database/prepared-statements';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { recordableAttribution, recordableId } from '../journal/recordable';
import type { ManageStatusDto } from './dto/manage-status.dto';
import { StatusGrants } from './status-grants.service';

const CHANGE_USER_STATUS = prepared(
  'change_user_status',
  'SELECT change_user_status($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) AS outcome',
);

/** Activates or deactivates one user, as the token in the body permits. */
@Injectable()
export class ManageStatusService {
  constructor(
    private readonly transactions: Transactions,
    private readonly grants: StatusGrants,
    private readonly counts: ChangeCounts,
  ) {}

  async execute(request: ManageStatusDto, context: ChangeContext, bearer: Bearer): Promise<void> {
    try {
      await this.change(request, context, bearer);
    } catch (error) {
      throw inOwnWords(error);
    }
  }

  private async change({ id, token }: ManageStatusDto, context: ChangeContext, bearer: Bearer): Promise<void> {
    const { only, grantedBy: granter } = await this.grants.read(token, bearer);
    if (!isIdentifier(id)) throw new TokenRefusedError('the user is unknown');
    if (only && only.userId !== id) throw new TokenRefusedError('the status token is for another user');
    const grantedBy = granter.id === context.actor.id ? undefined : granter.id;
    const parameters = [
      id,
      // Null toggles the status.
      only?.status ?? null,
      only?.id ?? null,
      only?.expiresAt ?? null,
      only?.userIdSince ?? null,
      only?.minterIdSince ?? null,
      granter.kind,
      recordableId(granter.id),
      ...recordableAttribution({ ...context, grantedBy, reason: only?.reason ?? context.reason }),
    ];
    const [{ outcome }] = await this.transactions.call(
      (sender) => sender.query<[{ outcome: 'changed' | 'unchanged' }]>(CHANGE_USER_STATUS, parameters),
      context.unit,
      () => undefined,
    );
    this.counts.add({ statuses: outcome === 'changed' ? 1 : 0 });
  }
}

/** The specification has its own sentences for this route. */
function inOwnWords(error: unknown): unknown {
  if (error instanceof TokenRefusedError) return new ServiceError('status.not_permitted', {}, { cause: error });
  const isLast = error instanceof ServiceError && error.code === 'directory.last_administrator';
  return isLast ? new ServiceError('status.last_administrator', {}, { cause: error }) : error;
}
