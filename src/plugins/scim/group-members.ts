import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { MemberChanges } from '@user-administration/scim-protocol';
import { CONFIG, type Config, LIMITS } from '../door';
import type { JudgedConnection } from './judge-connection';
import type { ProvisionedGroup } from './provisioned-group';
import { ScimError } from './scim-error';
import { AssignWorkspacesService } from '../../users/assign-workspaces.service';
import { UnassignUsersService } from '../../users/unassign-users.service';
import {
  makesAdministrators,
  makesReader,
  requireGrantable,
  requireSameAdministrators,
} from './protected-administrators.rule';

/** A user of the connection, read from the locked rows. */
interface Member {
  /** SCIM's id. */
  scimId: string;
  key: string;
  id: string;
  isIn: boolean;
  /** In the group without an end, which joining would take away. */
  isInForGood: boolean;
  isInWorkspaceForGood: boolean;
  /** Whether SCIM gave the user the workspace, and the user is in no other group of it. */
  leavesWorkspace: boolean;
  /** Whether the group, or its workspace, makes administrators. */
  becomesAdministrator: boolean;
  /** Whether they make a reader of the user. */
  becomesReader: boolean;
}

type Place = Pick<ProvisionedGroup, 'key' | 'id' | 'workspaceKey' | 'workspaceId'>;

/**
 * Changes the members of a group for a connection. The group, its workspace and the users are locked.
 *
 * The use cases of users write memberships, types and the journal. This class records which memberships SCIM gave.
 */
@Injectable()
export class GroupMembers {
  constructor(
    private readonly assignment: AssignWorkspacesService,
    private readonly unassignment: UnassignUsersService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * A user that an administrator has removed from the group also leaves the workspace that SCIM gave.
   *
   * @returns whether the members changed
   * @throws ScimError `invalidValue` for an unknown member; ServiceError `auth.administrator_required`,
   *   `directory.last_administrator`
   */
  async change(
    manager: EntityManager,
    connection: JudgedConnection,
    place: Place,
    users: readonly string[],
    changes: MemberChanges,
  ): Promise<boolean> {
    if (changes.isEmpty) return false;
    const { readPermission } = this.config.accessTokens;
    const members = await readMembers(manager, connection, place, users, readPermission);
    requireKnown(changes, members);
    const joiners = members.filter(({ scimId, isInForGood }) => !isInForGood && changes.added.has(scimId));
    const leavers = members.filter(
      ({ scimId, isIn, leavesWorkspace }) =>
        (isIn || leavesWorkspace) && !changes.added.has(scimId) && (changes.cleared || changes.removed.has(scimId)),
    );
    if (joiners.length === 0 && leavers.length === 0) return false;
    requireGrantable(connection, {
      administrators: joiners.some(({ becomesAdministrator }) => becomesAdministrator),
      readers: joiners.some(({ becomesReader }) => becomesReader),
    });
    const { judged, mayGrantAdministrator } = connection;
    const listsOf = (part: readonly Member[], groups: string[]) => {
      return { users: part.map((member) => member.id), workspaces: [place.workspaceId], groups };
    };
    for (const part of inParts(joiners, place)) {
      const lists = listsOf(part, [place.id]);
      const changed = await this.assignment.applyWithin(manager, judged, lists, !mayGrantAdministrator);
      requireSameAdministrators(connection, changed);
      await keepJoiners(manager, place, part);
    }
    for (const leaves of [false, true])
      for (const part of inParts(
        leavers.filter(({ leavesWorkspace }) => leavesWorkspace === leaves),
        place,
      )) {
        const lists = listsOf(part, leaves ? [] : [place.id]);
        const changed = await this.unassignment.applyWithin(manager, judged, lists, !mayGrantAdministrator);
        requireSameAdministrators(connection, changed);
      }
    return joiners.length > 0 || leavers.some(({ isIn }) => isIn);
  }
}

function readMembers(
  manager: EntityManager,
  { key }: JudgedConnection,
  place: Place,
  users: readonly string[],
  readPermission: string,
): Promise<Member[]> {
  return manager.query(
    `SELECT p.id AS "scimId", u.key, u.id, m.user_key IS NOT NULL AS "isIn",
       m.user_key IS NOT NULL AND COALESCE(m.ends_at, w.ends_at) IS NULL AS "isInForGood",
       w.user_key IS NOT NULL AND w.ends_at IS NULL AS "isInWorkspaceForGood",
       granted.user_key IS NOT NULL AND NOT EXISTS (
         SELECT FROM group_memberships AS other
         WHERE other.user_key = u.key AND other.workspace_key = $3 AND other.group_key <> $4
           AND NOT has_ended(other.ends_at, other.end_refused_at)
       ) AS "leavesWorkspace", ${makesAdministrators('$4', '$3')} AS "becomesAdministrator",
       ${makesReader('$4', '$3', 'u', '$5')} AS "becomesReader"
     FROM scim_users AS p JOIN users AS u ON u.key = p.user_key
     LEFT JOIN workspace_memberships AS w ON w.user_key = u.key AND w.workspace_key = $3
     LEFT JOIN group_memberships AS m ON m.user_key = u.key AND m.workspace_key = $3 AND m.group_key = $4
     LEFT JOIN scim_memberships AS granted
       ON granted.user_key = u.key AND granted.workspace_key = $3 AND COALESCE(granted.group_key, 0) = 0
     WHERE p.connection_key = $1 AND u.key = ANY ($2)`,
    [key, users, place.workspaceKey, place.key, readPermission],
  );
}

/** @throws ScimError `invalidValue` */
function requireKnown({ added }: MemberChanges, members: readonly Member[]): void {
  const known = new Set(members.map(({ scimId }) => scimId));
  for (const id of added) {
    if (!known.has(id)) throw new ScimError('invalidValue', `There is no user ${id.slice(0, 100)} to be a member.`);
  }
}

async function keepJoiners(manager: EntityManager, place: Place, joiners: readonly Member[]): Promise<void> {
  await manager.query(
    `INSERT INTO scim_memberships (user_key, workspace_key, group_key)
     SELECT unnest($3::bigint[]), $1::bigint, NULL UNION ALL SELECT unnest($4::bigint[]), $1, $2::bigint
     ON CONFLICT DO NOTHING`,
    [
      place.workspaceKey,
      place.key,
      joiners.filter(({ isInWorkspaceForGood }) => !isInWorkspaceForGood).map((member) => member.key),
      joiners.map((member) => member.key),
    ],
  );
}

/**
 * Splits members into parts that one statement may name and whose changes it may return: see `represented_changes.sql`.
 */
function* inParts<T>(all: readonly T[], { id, workspaceId }: Place): Generator<T[]> {
  // Bytes of an entry, escaped as JSON, and of a change of type.
  const bytes = 6 * (id.length + workspaceId.length) + 200;
  const size = Math.min(LIMITS.users, Math.floor(16_000_000 / bytes));
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}
