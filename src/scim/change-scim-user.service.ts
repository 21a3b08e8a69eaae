import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requirePreconditions } from '../answers/etag';
import type { ChangeContext } from '../auth/change-context';
import { Transactions } from '../database/transactions';
import { AssignStatusesService } from '../users/assign-statuses.service';
import { ChangeUserService } from '../users/change-user.service';
import { RenameUserService } from '../users/rename-user.service';
import { AddressClaims, keepWaiting } from './address-claims';
import type { Connection } from './current-connection';
import type { JudgedConnection } from './judge-connection';
import { findKept, type KeptUser, toUserResource, updateKept, type UserResource, versioned } from './kept-user';
import { lockKept } from './lock-kept';
import { notPermitted } from './not-permitted';
import { isProtected, requireNoneMade } from './protected-administrators.rule';
import { retryChange } from './retry-change';
import { followedId } from './user-conflicts';
import { type UserPlan, UserPlans } from './user-plans';
import { patchedUser, replacedUser, type Wanted } from './wanted-user';

/** Replaces or changes a user of a connection. */
@Injectable()
export class ChangeScimUserService {
  constructor(
    private readonly transactions: Transactions,
    private readonly changes: ChangeUserService,
    private readonly statuses: AssignStatusesService,
    private readonly renaming: RenameUserService,
    private readonly plans: UserPlans,
    private readonly claims: AddressClaims,
  ) {}

  /**
   * Attributes that are absent are cleared, but `active` stays.
   *
   * @throws ScimError, ServiceError `user.unknown`, `record.changed`, `auth.administrator_required`,
   * `directory.last_administrator`
   */
  replace(id: string, body: unknown, connection: Connection, context: ChangeContext): Promise<UserResource> {
    const wanted = replacedUser(body);
    return this.change(id, () => wanted, connection, context);
  }

  /** @throws as {@link replace} */
  patch(id: string, body: unknown, connection: Connection, context: ChangeContext): Promise<UserResource> {
    return this.change(id, (kept) => patchedUser(kept, body), connection, context);
  }

  private change(
    id: string,
    wantedOf: (kept: KeptUser) => Wanted,
    from: Connection,
    context: ChangeContext,
  ): Promise<UserResource> {
    const needsOf = (kept: KeptUser) => {
      const wanted = unlessMalformed(() => wantedOf(kept));
      if (!wanted) return { emails: [], renames: false };
      const renames = followedId(kept.userId, kept, wanted, from.idFrom) !== undefined;
      return { emails: [kept.email, kept.waitsFor, wanted.email], renames };
    };
    return retryChange(this.transactions, async (manager) => {
      const locked = await lockKept(manager, id, from, context, needsOf);
      const { kept, connection } = locked;
      requirePreconditions(context, versioned(kept));
      const wanted = wantedOf(kept);
      const mayOnlyDeactivate = isProtected(kept, connection);
      if (mayOnlyDeactivate && wanted.active === false) {
        await this.carryOut(manager, connection, kept, deactivated(kept));
      } else {
        const plan = await this.plans.of(manager, locked, wanted, from.idFrom);
        if (mayOnlyDeactivate && changesRecord(kept, plan)) throw notPermitted('it changes an administrator');
        await this.carryOut(manager, connection, kept, plan);
      }
      return toUserResource((await findKept(manager, connection.key, kept.userKey))!);
    });
  }

  /** Writes what differs. */
  private async carryOut(
    manager: EntityManager,
    connection: JudgedConnection,
    kept: KeptUser,
    plan: UserPlan,
  ): Promise<void> {
    const { judged } = connection;
    const { id = kept.userId, status, email, displayName, fields } = plan;
    const record = { ...kept, key: kept.userKey, id };
    if (id !== kept.userId) await this.renaming.within(manager, judged, { key: kept.userKey, id: kept.userId }, id);
    if (plan.claim === 'has') await this.claims.take(manager, connection, plan.asked, kept.userKey);
    const changed = await this.changes.within(manager, judged, { record, permissions: [] }, { email, displayName });
    requireNoneMade(connection, kept.type, changed.record.type);
    if (status !== kept.status) await this.statuses.within(manager, judged, [id], status);
    if (!isDeepStrictEqual(fields, contentOf(kept))) await updateKept(manager, kept.userKey, fields, fields.active);
    await keepWaiting(manager, kept, plan.waitsFor, status);
    for (const address of plan.freed) await this.claims.passOn(manager, connection, address, kept.userKey);
  }
}

/** What is malformed is refused later: after the connection is judged, and after the preconditions. */
function unlessMalformed(read: () => Wanted): Wanted | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** An administrator who may not be changed can still be deactivated. */
function deactivated(kept: KeptUser): UserPlan {
  const { email, displayName, waitsFor } = kept;
  const fields = { ...contentOf(kept), active: false };
  return {
    id: undefined,
    status: 'inactive',
    email,
    displayName,
    fields,
    waitsFor,
    claim: 'has',
    asked: {},
    freed: [],
  };
}

/**
 * Whether anything changes but what the provider said of `active`, which may be what an administrator did here before.
 */
function changesRecord(kept: KeptUser, { id, status, email, displayName, fields }: UserPlan): boolean {
  const { active } = kept;
  const isSame = status === kept.status && email === kept.email && displayName === kept.displayName;
  return id !== undefined || !isSame || !isDeepStrictEqual({ ...fields, active }, contentOf(kept));
}

/** What the connection keeps, apart from our record. */
function contentOf({ userName, externalId, resource, active }: KeptUser): UserPlan['fields'] {
  return { userName, externalId, resource, active };
}
