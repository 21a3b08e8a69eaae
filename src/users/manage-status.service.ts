import { Injectable } from '@nestjs/common';
import { TokenRefusedError } from '@user-administration/access-tokens';
import type { Bearer } from '../auth/current-bearer.decorator';
import type { ChangeContext } from '../auth/change-context';
import type { UserStatus } from '../contract/directory';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import type { Actor } from '../contract/journal';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { recordableId, recordingFunction } from '../journal/recording-function';
import type { ManageStatusDto } from './dto/manage-status.dto';
import { StatusGrants } from './status-grants.service';

interface StatusChange {
  user: string;
  /** Null toggles the status. */
  status: UserStatus | null;
  /** What a status token says; else null. */
  tokenId: string | null;
  tokenExpiresAt: Date | null;
  tokenUserSince: Date | null;
  tokenMinterSince: Date | null;
  granterKind: Actor['kind'];
  granterId: string;
}

const changeUserStatus = recordingFunction<StatusChange, { outcome: 'changed' | 'unchanged' }>(
  'change_user_status',
  {
    user: 'user_id',
    status: 'new_status',
    tokenId: 'token_id',
    tokenExpiresAt: 'token_expires_at',
    tokenUserSince: 'token_user_since',
    tokenMinterSince: 'token_minter_since',
    granterKind: 'granter_kind',
    granterId: 'granter_id',
  },
  'outcome',
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
    const attribution = { ...context, grantedBy, reason: only?.reason ?? context.reason };
    const given = {
      user: id,
      status: only?.status ?? null,
      tokenId: only?.id ?? null,
      tokenExpiresAt: only?.expiresAt ?? null,
      tokenUserSince: only?.userIdSince ?? null,
      tokenMinterSince: only?.minterIdSince ?? null,
      granterKind: granter.kind,
      granterId: recordableId(granter.id),
    };
    const { outcome } = await this.transactions.call(
      (sender) => changeUserStatus(sender, attribution, given),
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
