import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { judgeCaller } from '../auth/judge-caller';
import { ExpiredStatusTokens } from '../auth/expired-status-tokens';
import { StatusTokens } from '../auth/status-tokens';
import { ServiceError } from '../contract/errors';
import { Transactions } from '../database/transactions';
import { lockRecord } from '../records/find-record';
import { User } from '../directory/user.entity';
import type { ChangeContext } from '../auth/change-context';
import { Journal } from '../journal/journal';
import { DEFAULT_LIFETIME_SECONDS, type MintStatusTokenDto } from './dto/mint-status-token.dto';
import type { StatusTokenDto } from './dto/status-token.dto';

/** Creates a token that permits its bearer to change the status of one user, once. */
@Injectable()
export class MintStatusTokenService {
  constructor(
    private readonly transactions: Transactions,
    private readonly statusTokens: StatusTokens,
    private readonly spentTokens: ExpiredStatusTokens,
    private readonly journal: Journal,
  ) {}

  async execute(
    { id, status, expiresIn, reason: given }: MintStatusTokenDto,
    context: ChangeContext,
  ): Promise<StatusTokenDto> {
    const reason = given ?? undefined;
    const now = Math.floor(Date.now() / 1000);
    const expiresAt = new Date((now + (expiresIn ?? DEFAULT_LIFETIME_SECONDS)) * 1000);
    return this.transactions.run(async (manager) => {
      // Locked, so that the journal has this entry before those of later changes to the user.
      const found = await lockRecord(manager, User, id, 'for_no_key_update');
      const judged = await judgeCaller(manager, { ...context, reason });
      if (!found) throw new ServiceError('user.invalid', { errors: [{ pointer: '/id', id }] });
      const minterIdSince = await idSinceOf(manager, context.callerKey);
      await this.spentTokens.forgetExpired(manager);
      await this.journal.append(manager, judged, [
        { action: 'user.status_token.minted', user: id, after: { status, expiresAt: expiresAt.toISOString() } },
      ]);
      const claims = {
        userId: id,
        userIdSince: found.record.idSince,
        status,
        expiresAt,
        reason,
        mintedBy: context.actor,
        minterIdSince,
      };
      return { status: 200, token: this.statusTokens.mint(claims), expiresAt: expiresAt.toISOString() };
    }, context.unit);
  }
}

/** Since when the record with which the caller signed in has its id; undefined for a service. */
async function idSinceOf(manager: EntityManager, callerKey: string | undefined): Promise<Date | undefined> {
  if (callerKey === undefined) return undefined;
  const minter = await manager.findOneBy(User, { key: callerKey });
  // The caller was deleted, and another user was created with the id.
  if (!minter) throw new ServiceError('auth.token_invalid');
  return minter.idSince;
}
