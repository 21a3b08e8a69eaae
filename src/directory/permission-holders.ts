import type { EntityManager } from 'typeorm';
import type { UserType } from '../contract/directory';
import { holdersOf, type KeysQuery, membersOf, presentIn } from './affected-users';

/** The kinds of holders of a permission. All members of a workspace or group hold its permissions. */
export type HolderKind = 'user' | 'workspace' | 'group';

interface Holder {
  kind: HolderKind;
  key: string;
}

/** All users who hold the permissions of a holder. */
export function holdersThrough({ kind, key }: Holder): KeysQuery {
  return kind === 'user' ? { statement: 'SELECT $1::bigint', parameters: [key] } : membersOf(kind, key);
}

/** Grants these permissions to a holder. Existing ones stay. */
export async function grantPermissions(
  manager: EntityManager,
  { kind, key }: Holder,
  permissionKeys: readonly string[],
): Promise<void> {
  await manager.query(
    `INSERT INTO ${kind}_permissions (${kind}_key, permission_key) SELECT $1::bigint, unnest($2::bigint[])
     ON CONFLICT DO NOTHING`,
    [key, permissionKeys],
  );
}

/** Revokes these permissions from a holder. */
export async function revokePermissions(
  manager: EntityManager,
  { kind, key }: Holder,
  permissionKeys: readonly string[],
): Promise<void> {
  await manager.query(`DELETE FROM ${kind}_permissions WHERE ${kind}_key = $1 AND permission_key = ANY ($2)`, [
    key,
    permissionKeys,
  ]);
}

/** Replaces the permissions of a holder. */
export async function replacePermissions(
  manager: EntityManager,
  holder: Holder,
  permissionKeys: readonly string[],
): Promise<void> {
  const { kind, key } = holder;
  await manager.query(`DELETE FROM ${kind}_permissions WHERE ${kind}_key = $1 AND permission_key <> ALL ($2)`, [
    key,
    permissionKeys,
  ]);
  await grantPermissions(manager, holder, permissionKeys);
}

/** A query for the ids of a holder's direct permissions, in order. */
export function permissionIdsOf(kind: HolderKind, key: string): string {
  return `SELECT permissions.id FROM ${kind}_permissions JOIN permissions ON permissions.key = permission_key
    WHERE ${kind}_key = ${key} ORDER BY 1`;
}

/** Everything that a user effectively holds, as text that can be compared. */
export async function heldPermissions(manager: EntityManager, userKey: string): Promise<string> {
  const [{ held }] = await manager.query<[{ held: string }]>(
    `SELECT ARRAY(SELECT DISTINCT permission_key FROM held_permissions() WHERE user_key = $1 ORDER BY 1)::text AS held`,
    [userKey],
  );
  return held;
}

/** A place that gives its members some permissions more, and some less. */
interface PlaceChange {
  place: { kind: 'workspace' | 'group'; key: string };
  gained: readonly string[];
  lost: readonly string[];
}

/**
 * Whoever of a place gains or loses a permission by its change; who holds one in another way as well does not.
 *
 * @param isMade whether the change is made, or still to be made
 */
function affectedBy({ place, gained, lost }: PlaceChange, isMade: boolean): KeysQuery {
  const { statement, parameters } = presentIn(place.kind, place.key);
  const ways =
    'SELECT count(*) FROM held_permissions() AS held WHERE held.user_key = users.key ' +
    'AND held.permission_key = p.key';
  return {
    statement: `SELECT id FROM users WHERE key IN (${statement}) AND EXISTS (
      SELECT FROM permissions AS p
      WHERE (p.id = ANY ($2) AND (${ways}) = ${isMade ? 1 : 0}) OR (p.id = ANY ($3) AND (${ways}) = ${isMade ? 0 : 1})
    )`,
    parameters: [...parameters, gained, lost],
  };
}

/** A query for the users that the change of a place will affect. */
export const toBeAffected = (change: PlaceChange): KeysQuery => affectedBy(change, false);

/** The ids of the users among these that the change of a place has affected. */
export async function affectedByPlace(
  manager: EntityManager,
  userKeys: readonly string[],
  change: PlaceChange,
): Promise<string[]> {
  const { statement, parameters } = affectedBy(change, true);
  const rows: { id: string }[] = await manager.query(`${statement} AND key = ANY ($4)`, [...parameters, userKeys]);
  return rows.map(({ id }) => id);
}

/**
 * A query for the users whose types change, by the default rule, if a permission grants another type: those who hold it
 * and have a lower type than it will grant, or the type that it grants now and nothing else that grants as much.
 */
export function toBeRetyped(permissionKey: string, grants: { before: UserType; after: UserType }): KeysQuery {
  const { statement } = holdersOf(permissionKey);
  return {
    statement: `SELECT id FROM users WHERE key IN (${statement}) AND (type < $3::user_type
      OR type = $2::user_type AND type > $3::user_type AND NOT EXISTS (
        SELECT FROM held_permissions() AS held JOIN permissions AS p ON p.key = held.permission_key
        WHERE held.user_key = users.key AND p.key <> $1 AND p.grants >= $2::user_type
      ))`,
    parameters: [permissionKey, grants.before, grants.after],
  };
}
