import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ChangeContext, CONFIG, type Config, Transactions } from '../door';
import { requirePreconditions } from '../../answers/etag';
import { AssignStatusesService } from '../../users/assign-statuses.service';
import { ChangeUserService } from '../../users/change-user.service';
import { RenameUserService } from '../../users/rename-user.service';
import { AddressClaims, keepWaiting } from './address-claims';
import type { Connection } from './scim-request';
import type { JudgedConnection } from './judge-connection';
import { findProvisioned, type ProvisionedUser, updateProvisioned, versioned } from './provisioned-user';
import { lockUser } from './lock-user';
import { isProtected, notPermitted, requireNoneMade, requireNoReaderMade } from './protected-administrators.rule';
import { retryChange } from './retry-change';
import { followedId } from './user-conflicts';
import { type UserPlan, UserPlans } from './user-plans';
import { patchedUser, replacedUser, type Wanted } from './user-fields';

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
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Clears absent attributes, except `active`.
   *
   * @throws ScimError, ServiceError `user.unknown`, `record.changed`, `auth.administrator_required`,
   *   `directory.last_administrator`
   */
  replace(id: string, body: unknown, connection: Connection, context: ChangeContext): Promise<ProvisionedUser> {
    const wanted = replacedUser(body);
    return this.change(id, () => wanted, connection, context);
  }

  /** @throws as {@link replace} */
  patch(id: string, body: unknown, connection: Connection, context: ChangeContext): Promise<ProvisionedUser> {
    return this.change(id, (user) => patchedUser(user, body), connection, context);
  }

  private change(
    id: string,
    wantedOf: (user: ProvisionedUser) => Wanted,
    from: Connection,
    context: ChangeContext,
  ): Promise<ProvisionedUser> {
    const needsOf = (user: ProvisionedUser) => {
      const wanted = unlessMalformed(() => wantedOf(user));
      if (!wanted) return { emails: [], renames: false };
      const renames = followedId(user.userId, user, wanted, from.idFrom) !== undefined;
      return { emails: [user.email, user.waitsFor, wanted.email], renames };
    };
    return retryChange(this.transactions, async (manager) => {
      const locked = await lockUser(manager, id, from, context, needsOf);
      const { user, connection } = locked;
      requirePreconditions(context, versioned(user));
      const wanted = wantedOf(user);
      const mayOnlyDeactivate = isProtected(user, connection);
      if (mayOnlyDeactivate && wanted.active === false) {
        await this.carryOut(manager, connection, user, deactivated(user));
      } else {
        const plan = await this.plans.of(manager, locked, wanted, from.idFrom);
        if (mayOnlyDeactivate && changesRecord(user, plan)) throw notPermitted('it changes an administrator');
        await this.carryOut(manager, connection, user, plan);
      }
      return (await findProvisioned(manager, connection.key, user.userKey))!;
    });
  }

  /** Writes the differences. */
  private async carryOut(
    manager: EntityManager,
    connection: JudgedConnection,
    user: ProvisionedUser,
    plan: UserPlan,
  ): Promise<void> {
    const { judged } = connection;
    const { id = user.userId, status, email, displayName, fields } = plan;
    const record = { ...user, key: user.userKey, id };
    const { readPermission } = this.config.accessTokens;
    await requireNoReaderMade(manager, connection, user.userKey, [user.status, status], readPermission);
    if (id !== user.userId)
      await this.renaming.applyWithin(manager, judged, { key: user.userKey, id: user.userId }, id);
    if (plan.claim === 'has') await this.claims.take(manager, connection, plan.asked, user.userKey);
    const changed = await this.changes.applyWithin(
      manager,
      judged,
      { record, permissions: [] },
      { email, displayName },
    );
    requireNoneMade(connection, user.type, changed.record.type);
    if (status !== user.status) await this.statuses.applyWithin(manager, judged, [id], status);
    if (!isDeepStrictEqual(fields, contentOf(user)))
      await updateProvisioned(manager, user.userKey, fields, fields.providerActive);
    await keepWaiting(manager, user, plan.waitsFor, status);
    for (const address of plan.freed) await this.claims.passOn(manager, connection, address, user.userKey);
  }
}

/** A malformed body is refused later, after the connection is judged and the preconditions hold. */
function unlessMalformed(read: () => Wanted): Wanted | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The plan for an administrator that the connection may only deactivate. */
function deactivated(user: ProvisionedUser): UserPlan {
  const { email, displayName, waitsFor } = user;
  const fields = { ...contentOf(user), providerActive: false };
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
 * Whether a plan changes anything but `providerActive`, which may only catch up with a change that an administrator
 * made here.
 */
function changesRecord(user: ProvisionedUser, { id, status, email, displayName, fields }: UserPlan): boolean {
  const { providerActive } = user;
  const isSame = status === user.status && email === user.email && displayName === user.displayName;
  return id !== undefined || !isSame || !isDeepStrictEqual({ ...fields, providerActive }, contentOf(user));
}

/** The fields that the connection stores beside our record. */
function contentOf({ userName, externalId, resource, providerActive }: ProvisionedUser): UserPlan['fields'] {
  return { userName, externalId, resource, providerActive };
}
