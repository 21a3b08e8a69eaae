import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ServiceError } from '../door';
import type { UserStatus } from '../../contract/directory';
import { type Claim, claimOf, isSameAddress, refusalOfClaim } from './address-claims';
import { type Address, addressOf } from './find-addresses';
import { isProtected } from './protected-administrators.rule';
import type { ProvisionedUser } from './provisioned-user';
import type { LockedUser } from './lock-user';
import type { IdSource } from './scim-connection.entity';
import { followedId, UserConflicts } from './user-conflicts';
import type { Wanted } from './user-fields';

/** The outcome for the address that a user asks for. */
interface AddressPlan {
  email: string | null;
  claim: Claim;
  asked: Address;
  /** The address that the user waits for afterwards. */
  waitsFor: string | null;
  /** Addresses that the user does not have afterwards: other users may wait for them. */
  freed: Address[];
}

/** The outcome for a user. */
export interface UserPlan extends AddressPlan {
  /** Undefined if the id stays. */
  id: string | undefined;
  status: UserStatus;
  displayName: string | null;
  /** The fields that the connection stores. */
  fields: Pick<ProvisionedUser, 'userName' | 'externalId' | 'resource' | 'providerActive'>;
}

/** Decides the outcome of a PUT or a PATCH for a user. */
@Injectable()
export class UserPlans {
  constructor(private readonly conflicts: UserConflicts) {}

  /**
   * Writes nothing.
   *
   * @throws ScimError `uniqueness`; ServiceError `auth.administrator_required` for the id of a service
   */
  async of(manager: EntityManager, locked: LockedUser, wanted: Wanted, idFrom: IdSource): Promise<UserPlan> {
    const { user } = locked;
    const providerActive = wanted.active ?? user.providerActive;
    // An unchanged `true` of the provider does not undo a deactivation by an administrator. `false` always counts.
    const status =
      wanted.active === false ? 'inactive' : providerActive && !user.providerActive ? 'active' : user.status;
    const displayName = wanted.setsName ? wanted.displayName : user.displayName;
    const { resource } = wanted;
    const id = followedId(user.userId, user, wanted, idFrom);
    const address = planAddress(locked, wanted.setsEmail ? wanted.email : undefined, status);
    const conflict = (await this.conflictOf(manager, locked, wanted, id)) ?? refusalOfClaim(address.claim);
    const { userName, externalId } = conflict ? user : wanted;
    const plan = { id, status, displayName, fields: { userName, externalId, resource, providerActive }, ...address };
    if (!conflict) return plan;
    // A leaver is always deactivated, whatever else the provider sends.
    if (wanted.active !== false) throw conflict;
    return { ...plan, id: undefined, ...planAddress(locked, undefined, status) };
  }

  private async conflictOf(
    manager: EntityManager,
    { user, connection }: LockedUser,
    wanted: Wanted,
    id: string | undefined,
  ): Promise<ServiceError | undefined> {
    return (
      (await this.conflicts.overNames(manager, connection.key, user.userKey, wanted)) ??
      (id === undefined ? undefined : await this.conflicts.overNewId(manager, connection, id))
    );
  }
}

/**
 * @param given undefined if the request leaves the address as it is: then a user that waits for one asks for it again
 */
function planAddress(
  { user, connection, addresses }: LockedUser,
  given: string | null | undefined,
  status: UserStatus,
): AddressPlan {
  const again = given === undefined && user.email === null ? user.waitsFor : null;
  const email = given === undefined ? (again ?? user.email) : given;
  const own = addressOf(addresses, user.email);
  const asked = addressOf(addresses, email);
  // An administrator whom the connection may not change keeps what the provider says again, whoever has it now.
  if (
    isProtected(user, connection) &&
    email !== null &&
    [user.email, user.waitsFor].some((one) => isSameAddress(email, one))
  )
    return { email: user.email, claim: 'waits', asked, waitsFor: user.waitsFor, freed: [] };
  const isOwn = asked.owner?.key === user.userKey;
  const isAwaited = email !== null && isSameAddress(email, user.waitsFor);
  const waitsSince = isAwaited ? user.waitsSince : null;
  const claimant = { key: user.userKey, isActive: status === 'active', waitsSince };
  const claim = email === null ? 'has' : claimOf(asked, claimant, connection);
  // Another user has received it, and the request did not ask for it.
  if (again !== null && refusalOfClaim(claim))
    return { email: null, claim: 'waits', asked, waitsFor: again, freed: [] };
  return {
    email: claim === 'has' ? email : null,
    claim,
    asked,
    waitsFor: claim === 'has' ? null : email,
    freed: [...(user.email !== null && !isOwn ? [own] : []), ...(claim === 'waits' ? [asked] : [])],
  };
}
