import type { EntityManager } from 'typeorm';
import { ScimError } from './scim-error';

/** The record of a user that a connection has deleted, or that was inactive when the connection ended. */
export interface Leaver {
  /** SCIM's id. */
  id: string;
  userName: string;
  externalId: string | null;
  /** Whether the connection of the request had deleted the user. */
  isOurs: boolean;
  /** Whether the record counts for the connection of the request: it is its own, or of a connection that has ended. */
  holds: boolean;
  /** Whether the external id of the request is that of the leaver. */
  hasExternalId: boolean;
  /** Whether it is the person that the request names: by external id, or by name where one of the two has none. */
  isSame: boolean;
}

/**
 * Whether a leaver is a given person: external ids distinguish people; if one of the two has none, the names do.
 *
 * @param externalId a parameter of type text
 * @param userName a parameter of type text
 */
const isPerson = (externalId: string, userName: string): string =>
  `COALESCE(gone.external_id = ${externalId}::text, fold_case(gone.user_name) = fold_case(${userName}::text))`;

/**
 * The {@link Leaver} of a user as JSON, or null. `gone` is a row of `scim_leavers`, and the connection has the key of
 * this parameter.
 */
export const leaverColumn = (connectionKey: string, externalId: string, userName: string): string =>
  `CASE WHEN gone.user_key IS NOT NULL THEN json_build_object('id', gone.id, 'userName', gone.user_name,
     'externalId', gone.external_id, 'isOurs', gone.connection_key = ${connectionKey},
     'holds', gone.connection_key = ${connectionKey} OR NOT EXISTS (SELECT FROM scim_connections
     WHERE key = gone.connection_key),
     'hasExternalId', COALESCE(gone.external_id = ${externalId}::text, false),
     'isSame', ${isPerson(externalId, userName)}) END`;

/** A query for the keys of leavers with this external id or name. */
export const leaverKeys = (externalId: string, userName: string): string =>
  `SELECT user_key FROM scim_leavers WHERE external_id = ${externalId}::text
   UNION ALL SELECT user_key FROM scim_leavers WHERE fold_case(user_name) = fold_case(${userName}::text)`;

/** A user of a connection, with SCIM's id. */
type Leaving = Pick<Leaver, 'id' | 'userName' | 'externalId'> & { userKey: string };

/** Removes a user from a connection, and records who it was. */
export async function remember(manager: EntityManager, connectionKey: string, user: Leaving): Promise<void> {
  await manager.query(
    `WITH gone AS (DELETE FROM scim_users WHERE user_key = $1)
     INSERT INTO scim_leavers (user_key, connection_key, id, user_name, external_id) VALUES ($1, $2, $3, $4, $5)`,
    [user.userKey, connectionKey, user.id, user.userName, user.externalId],
  );
}

/** The refusal of an id that belongs to a leaver. */
export function hasLeft(): ScimError {
  return new ScimError(
    'uniqueness',
    'This id belongs to somebody who has left. An administrator can rename or erase that user first.',
  );
}

/**
 * The ids of SCIM that a connection has given, each with its person: while the connection exists, no id is given to
 * another person, even after the record is deleted. Only hashes are stored, so an erasure stays complete.
 */
const hashOf = (text: string): string => `sha256(convert_to(${text}, 'UTF8'))`;

/**
 * Whether a connection has given an id to another person. External ids distinguish people; if one of the two has none,
 * the names do.
 *
 * All are parameters, the last three of type text.
 */
export const isGiven = (connectionKey: string, id: string, externalId: string, userName: string): string =>
  `EXISTS (SELECT FROM scim_given_ids AS given WHERE connection_key = ${connectionKey} AND id = ${hashOf(id)} AND NOT
     COALESCE(given.external_id = ${hashOf(externalId)}, given.user_name = ${hashOf(`fold_case(${userName})`)}))`;

/** The end of a statement: stores the ids of the rows `provisioned` of `scim_users`, with their persons. */
export const GIVE_IDS = `INSERT INTO scim_given_ids (connection_key, id, external_id, user_name)
  SELECT connection_key, ${hashOf('id')}, ${hashOf('external_id')}, ${hashOf('fold_case(user_name)')} FROM provisioned
  ON CONFLICT (connection_key, id) DO UPDATE SET external_id = EXCLUDED.external_id, user_name = EXCLUDED.user_name`;
