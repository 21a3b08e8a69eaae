import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ChangeContext, lockExisting, Transactions } from '../door';
import { requirePreconditions } from '../../answers/etag';
import { OvertakenError } from '@user-administration/postgres';
import { AssignStatusesService } from '../../users/assign-statuses.service';
import { UnassignUsersService } from '../../users/unassign-users.service';
import { AddressClaims } from './address-claims';
import type { Connection } from './scim-request';
import { addressOf } from './find-addresses';
import { type ProvisionedUser, USERS, versioned } from './provisioned-user';
import { findResource } from './resource-kind';
import { remember } from './leavers';
import { lockUser } from './lock-user';
import { retryChange } from './retry-change';

/** The places that SCIM has given a user. */
interface Places {
  /** Workspaces to leave with all their groups. */
  workspaces: string[];
  groups: string[];
  /** The workspaces of the groups. */
  groupWorkspaces: string[];
}

/**
 * Deactivates a user of a connection, removes the user from every place that the connection gave, and forgets the user.
 * A workspace stays if the user is in one of its groups that the connection did not give.
 */
@Injectable()
export class DeleteScimUserService {
  constructor(
    private readonly transactions: Transactions,
    private readonly statuses: AssignStatusesService,
    private readonly unassignment: UnassignUsersService,
    private readonly claims: AddressClaims,
  ) {}

  /** @throws ServiceError `user.unknown`, `record.changed`, `directory.last_administrator` */
  execute(id: string, from: Connection, context: ChangeContext): Promise<void> {
    return retryChange(this.transactions, async (manager) => {
      const found = await placesOf(manager, (await findResource(manager, USERS, id, from))?.userKey);
      const workspaces = await lockExisting(manager, 'workspaces', [...found.workspaces, ...found.groupWorkspaces]);
      const groups = await lockExisting(manager, 'groups', found.groups);
      const { user, connection, addresses } = await lockUser(manager, id, from, context, needsOf);
      requirePreconditions(context, versioned(user));
      const places = await placesOf(manager, user.userKey);
      const isLocked =
        places.groups.every((place) => groups.has(place)) &&
        [...places.workspaces, ...places.groupWorkspaces].every((place) => workspaces.has(place));
      if (!isLocked) throw new OvertakenError('the places of the user changed before they were locked');

      const { judged } = connection;
      const users = [user.userId];
      if (user.status === 'active') await this.statuses.applyWithin(manager, judged, users, 'inactive');
      const ofGroups = { users, workspaces: places.groupWorkspaces, groups: places.groups };
      if (places.groups.length > 0) await this.unassignment.applyWithin(manager, judged, ofGroups);
      const ofWorkspaces = { users, workspaces: places.workspaces, groups: [] };
      if (places.workspaces.length > 0) await this.unassignment.applyWithin(manager, judged, ofWorkspaces);
      await manager.query('DELETE FROM scim_memberships WHERE user_key = $1', [user.userKey]);
      await remember(manager, connection.key, user);
      const { owner, waiter } = addressOf(addresses, user.email);
      const left = owner && { ...owner, status: 'inactive' as const };
      await this.claims.passOn(manager, connection, { owner: left, waiter }, null);
    });
  }
}

/** Another user may wait for the address. */
const needsOf = ({ email }: ProvisionedUser) => ({ emails: [email], renames: false });

async function placesOf(manager: EntityManager, userKey: string | undefined): Promise<Places> {
  const granted = 'FROM scim_memberships AS granted JOIN workspaces AS w ON w.key = granted.workspace_key';
  const isGranted = 'granted.user_key = $1';
  const [places] = await manager.query<[Places]>(
    `SELECT
       ARRAY(
         SELECT w.id ${granted} WHERE ${isGranted} AND granted.group_key IS NULL AND NOT EXISTS (
           SELECT FROM group_memberships AS m
             WHERE (m.user_key, m.workspace_key) = (granted.user_key, granted.workspace_key)
             AND NOT has_ended(m.ends_at, m.end_refused_at) AND NOT EXISTS (
             SELECT FROM scim_memberships AS ours
             WHERE (ours.user_key, ours.workspace_key, ours.group_key) = (m.user_key, m.workspace_key, m.group_key)
           )
         )
       ) AS workspaces,
       ARRAY(SELECT g.id ${granted} JOIN groups AS g ON g.key = granted.group_key WHERE ${isGranted}) AS groups,
       ARRAY(
         SELECT DISTINCT w.id ${granted} WHERE ${isGranted} AND granted.group_key IS NOT NULL
       ) AS "groupWorkspaces"`,
    [userKey],
  );
  return places;
}
