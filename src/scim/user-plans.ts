import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UserStatus } from '../contract/directory';
import type { ServiceError } from '../contract/errors';
import { type Claim, claimOf, isSameAddress, refusalOfClaim } from './address-claims';
import { type Address, addressOf } from './find-addresses';
import type { KeptUser } from './kept-user';
import type { LockedKept } from './lock-kept';
import type { IdSource } from './scim-connection.entity';
import { followedId, UserConflicts } from './user-conflicts';
import type { Wanted } from './wanted-user';

/** What becomes of the address that a user asks for. */
interface AddressPlan {
  email: string | null;
  claim: Claim;
  asked: Address;
  /** The address that the user waits for from now on. */
  waitsFor: string | null;
  /** Addresses that the user does not have from now on: others may wait for them. */
  freed: Address[];
}

/** What becomes of a user. */
export interface UserPlan extends AddressPlan {
  /** Undefined if the id stays. */
  id: string | undefined;
  status: UserStatus;
  displayName: string | null;
  /** What is kept. */
  fields: Pick<KeptUser, 'userName' | 'externalId' | 'resource' | 'active'>;
}

/** Decides what a PUT or a PATCH makes of a user. */
@Injectable()
export class UserPlans {
  constructor(private readonly conflicts: UserConflicts) {}

  /**
   * Writes nothing.
   *
   * @throws ScimError `uniqueness`; ServiceError `auth.administrator_required` for the id of a service
   */
  async of(manager: EntityManager, locked: LockedKept, wanted: Wanted, idFrom: IdSource): Promise<UserPlan> {
    const { kept } = locked;
    const active = wanted.active ?? kept.active;
    // What the provider said before does not undo what an administrator did here, unless it is `false`.
    const status = wanted.active === false ? 'inactive' : active && !kept.active ? 'active' : kept.status;
    const displayName = wanted.setsName ? wanted.displayName : kept.displayName;
    const { resource } = wanted;
    const id = followedId(kept.userId, kept, wanted, idFrom);
    const address = planAddress(locked, wanted.setsEmail ? wanted.email : undefined, status);
    const conflict = (await this.conflictOf(manager, locked, wanted, id)) ?? refusalOfClaim(address.claim);
    const { userName, externalId } = conflict ? kept : wanted;
    const plan = { id, status, displayName, fields: { userName, externalId, resource, active }, ...address };
    if (!conflict) return plan;
    // A leaver is always deactivated, whatever else the provider says.
    if (wanted.active !== false) throw conflict;
    return { ...plan, id: undefined, ...planAddress(locked, undefined, status) };
  }

  private async conflictOf(
    manager: EntityManager,
    { kept, connection }: LockedKept,
    wanted: Wanted,
    id: string | undefined,
  ): Promise<ServiceError | undefined> {
    return (
      (await this.conflicts.overNames(manager, connection.key, kept.userKey, wanted)) ??
      (id === undefined ? undefined : await this.conflicts.overNewId(manager, connection, id))
    );
  }
}

/**
 * @param given undefined if the request leaves the address as it is: then a user who waits for one asks for it again
 */
function planAddress(
  { kept, connection, addresses }: LockedKept,
  given: string | null | undefined,
  status: UserStatus,
): AddressPlan {
  const again = given === undefined && kept.email === null ? kept.waitsFor : null;
  const email = given === undefined ? (again ?? kept.email) : given;
  const own = addressOf(addresses, kept.email);
  const asked = addressOf(addresses, email);
  const isOwn = asked.owner?.key === kept.userKey;
  const isAwaited = email !== null && isSameAddress(email, kept.waitsFor);
  const waitsSince = isAwaited ? kept.waitsSince : null;
  const claimant = { key: kept.userKey, isActive: status === 'active', waitsSince };
  const claim = email === null ? 'has' : claimOf(asked, claimant, connection);
  // Somebody else has got it: the request did not ask for it.
  if (again !== null && refusalOfClaim(claim))
    return { email: null, claim: 'waits', asked, waitsFor: again, freed: [] };
  return {
    email: claim === 'has' ? email : null,
    claim,
    asked,
    waitsFor: claim === 'has' ? null : email,
    freed: [...(kept.email !== null && !isOwn ? [own] : []), ...(claim === 'waits' ? [asked] : [])],
  };
}
