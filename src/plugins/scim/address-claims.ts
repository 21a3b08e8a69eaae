import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ServiceError } from '../door';
import { ChangeUserService } from '../../users/change-user.service';
import type { UserStatus } from '../../contract/directory';
import type { Address, Person } from './find-addresses';
import type { ProvisionedUser } from './provisioned-user';
import type { JudgedConnection } from './judge-connection';
import { isProtected, notPermitted, requireNoneMade } from './protected-administrators.rule';
import { ScimError } from './scim-error';

/** The user that the request is about, after the change. */
interface Claimant {
  /** Null for a new user. */
  key: string | null;
  isActive: boolean;
  /** Null if the user has not waited yet. */
  waitsSince: Date | null;
}

/**
 * - `has`: the user has the address, or gets it, perhaps from an inactive one;
 * - `waits`: another user of the connection has it, or comes first;
 * - `taken`: a user has it that the connection cannot make give it up;
 * - `protected`: an inactive administrator has it, and the connection may not change administrators.
 */
export type Claim = 'has' | 'waits' | 'taken' | 'protected';

/**
 * Decides who gets an address that several users want: an active user before an inactive one, the owner before those
 * that wait, and these in the order of waiting. So two people can swap their addresses with one request for each.
 */
export function claimOf(
  { owner, waiter }: Address,
  { key, isActive, waitsSince }: Claimant,
  connection: JudgedConnection,
): Claim {
  const isOwn = owner !== undefined && owner.key === key;
  if (isOwn && isActive) return 'has';
  if (owner && !isOwn) {
    const { connectionKey, hasLeft, status } = owner;
    if (connectionKey !== connection.key && !(hasLeft && status === 'inactive')) return 'taken';
    if (status === 'active' || !isActive) return 'waits';
    if (!givesUp(owner, connection)) return 'protected';
  }
  if (!waiter) return 'has';
  return isActive && timeOf(waitsSince) < timeOf(waiter.waitsSince) ? 'has' : 'waits';
}

/** The refusal of a claim, if it is refused. */
export function refusalOfClaim(claim: Claim): ServiceError | undefined {
  if (claim === 'taken') return new ScimError('uniqueness', 'Another user has this email address.');
  return claim === 'protected' ? notPermitted('it takes the address of an administrator') : undefined;
}

/** Whether an owner is inactive and the connection may change this user. */
function givesUp(owner: Person, connection: JudgedConnection): boolean {
  const { connectionKey, hasLeft, status } = owner;
  return status === 'inactive' && (connectionKey === connection.key || hasLeft) && !isProtected(owner, connection);
}

/** A user that has not waited yet comes last. */
function timeOf(since: Date | null): number {
  return since?.getTime() ?? Infinity;
}

/** Moves addresses between users of a connection. The caller has locked all of them. */
@Injectable()
export class AddressClaims {
  constructor(private readonly changes: ChangeUserService) {}

  /** Takes an address from its inactive owner, before the user of the request gets it. */
  async take(
    manager: EntityManager,
    connection: JudgedConnection,
    { owner }: Address,
    userKey: string | null,
  ): Promise<void> {
    if (!owner || owner.key === userKey) return;
    await this.write(manager, connection, owner, null);
    // The former owner waits from its next activation on.
    await waitFor(manager, owner.key, owner.email, null);
  }

  /**
   * Gives an address that the user of the request does not have to the user that has waited longest, if no active user
   * has it.
   */
  async passOn(
    manager: EntityManager,
    connection: JudgedConnection,
    { owner, waiter }: Address,
    userKey: string | null,
  ): Promise<void> {
    const other = owner?.key === userKey ? undefined : owner;
    if (!waiter || (other && !givesUp(other, connection))) return;
    await this.take(manager, connection, { owner: other }, userKey);
    await this.write(manager, connection, waiter, waiter.waitsFor);
    await waitFor(manager, waiter.key, null, null);
  }

  private async write(
    manager: EntityManager,
    connection: JudgedConnection,
    record: Person,
    email: string | null,
  ): Promise<void> {
    const found = { record, permissions: [] };
    const changed = await this.changes.applyWithin(manager, connection.judged, found, { email });
    requireNoneMade(connection, record.type, changed.record.type);
  }
}

/**
 * Records the address that a user waits for. Waiting begins with the request, or, for a former owner, with its next
 * activation.
 */
export async function keepWaiting(
  manager: EntityManager,
  user: Pick<ProvisionedUser, 'userKey' | 'email' | 'waitsFor' | 'waitsSince'>,
  waitsFor: string | null,
  status: UserStatus,
): Promise<void> {
  const { userKey } = user;
  if (waitsFor === null) {
    if (user.waitsFor !== null) await waitFor(manager, userKey, null, null);
  } else if (isSameAddress(waitsFor, user.email)) {
    await waitFor(manager, userKey, waitsFor, null);
  } else if (!isSameAddress(waitsFor, user.waitsFor) || (user.waitsSince === null && status === 'active')) {
    await waitFor(manager, userKey, waitsFor, 'now');
  }
}

/** Compares addresses as the provider sent them. The database compares with `fold_case`. */
export function isSameAddress(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}

/** Writes the address that a user of the connection waits for, and since when; null for none. */
async function waitFor(
  manager: EntityManager,
  userKey: string,
  address: string | null,
  since: 'now' | null,
): Promise<void> {
  const time = since === 'now' ? 'clock_timestamp()' : 'NULL';
  await manager.query(`UPDATE scim_users SET waits_for = $2, waits_since = ${time} WHERE user_key = $1`, [
    userKey,
    address,
  ]);
}
