import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Complex, ENTERPRISE_USER, USER } from '@user-administration/scim-protocol';
import { etagOf } from '../answers/etag';
import { isIdentifier } from '../contract/identifiers';
import type { UserStatus, UserType } from '../contract/directory';
import { GIVE_IDS, isGiven } from './given-ids';
import type { UserFields } from './user-fields';

/** A user of a connection: what the connection keeps, and our record. */
export interface KeptUser {
  /** The position in lists. */
  key: string;
  /** SCIM's id. */
  id: string;
  userName: string;
  externalId: string | null;
  /** What the provider said last. */
  active: boolean;
  /** As it was sent, with `displayName`. */
  resource: Complex;
  /** An address that somebody else has. */
  waitsFor: string | null;
  waitsSince: Date | null;
  createdAt: Date;
  updatedAt: Date;
  userKey: string;
  userId: string;
  email: string | null;
  displayName: string | null;
  type: UserType;
  status: UserStatus;
}

/** For a query over {@link FROM_KEPT}. */
export const KEPT_COLUMNS = `kept.key, kept.id, kept.user_name AS "userName", kept.external_id AS "externalId", kept.active, kept.resource,
  kept.waits_for AS "waitsFor", kept.waits_since AS "waitsSince",
  kept.created_at AS "createdAt", GREATEST(kept.updated_at, u.updated_at) AS "updatedAt", u.key AS "userKey", u.id AS "userId", u.email,
  u.display_name AS "displayName", u.type, u.status`;

export const FROM_KEPT = 'scim_users AS kept JOIN users AS u ON u.key = kept.user_key';

export type UserResource = ReturnType<typeof toUserResource>;

/** A user as SCIM answers it, but for its address. */
export function toUserResource(kept: KeptUser) {
  const { meta, ...content } = versioned(kept);
  return { ...content, meta: { ...meta, version: etagOf({ ...content, meta }) } };
}

/** What the version of a user is made of. */
export function versioned({ id, userName, externalId, displayName, status, resource, createdAt, updatedAt }: KeptUser) {
  return {
    schemas: [USER.id, ...(ENTERPRISE_USER.id in resource ? [ENTERPRISE_USER.id] : [])],
    id,
    ...(externalId !== null && { externalId }),
    userName,
    ...resource,
    ...(displayName !== null && { displayName }),
    active: status === 'active',
    meta: { resourceType: 'User', created: createdAt.toISOString(), lastModified: updatedAt.toISOString() },
  };
}

/**
 * What a PATCH changes: a user as the provider knows it, without `active`, which only counts if the request says it.
 */
export function toPatchable({ userName, externalId, resource }: KeptUser): Complex {
  return { ...resource, userName, ...(externalId !== null && { externalId }) };
}

export async function findKept(
  manager: EntityManager,
  connectionKey: string,
  userKey: string,
): Promise<KeptUser | undefined> {
  const [found]: KeptUser[] = await manager.query(
    `SELECT ${KEPT_COLUMNS} FROM ${FROM_KEPT} WHERE kept.connection_key = $1 AND kept.user_key = $2`,
    [connectionKey, userKey],
  );
  return found;
}

/** The user with this id of SCIM; undefined if the connection has none. */
export async function keptById(
  manager: Pick<EntityManager, 'query'>,
  connectionKey: string,
  id: string,
): Promise<KeptUser | undefined> {
  if (!isIdentifier(id)) return undefined;
  const [found]: KeptUser[] = await manager.query(
    `SELECT ${KEPT_COLUMNS} FROM ${FROM_KEPT} WHERE kept.connection_key = $1 AND kept.id = $2`,
    [connectionKey, id],
  );
  return found;
}

/** The addresses in a resource, as filters compare them. An index takes no longer texts. */
const emailsIn = (resource: string): string => `ARRAY(SELECT DISTINCT left(fold_case(email ->> 'value'), 320)
  FROM jsonb_array_elements(${resource}::jsonb -> 'emails') AS email WHERE email ? 'value')`;

/**
 * Keeps a new user of a connection, who has left no longer.
 *
 * @param user the id is another one if the connection has given this one to somebody else
 */
export async function insertKept(
  manager: EntityManager,
  connectionKey: string,
  { id, userKey, active }: Pick<KeptUser, 'id' | 'userKey' | 'active'>,
  { userName, externalId, resource }: UserFields,
): Promise<void> {
  await manager.query(
    `WITH back AS (DELETE FROM scim_leavers WHERE user_key = $2), kept AS (
       INSERT INTO scim_users (connection_key, user_key, id, active, user_name, external_id, resource, emails)
       SELECT $1::bigint, $2::bigint, CASE WHEN ${isGiven('$1', '$3', '$6', '$5')} THEN $8 ELSE $3 END,
         $4::boolean, $5::text, $6::text, $7::jsonb, ${emailsIn('$7')}
       RETURNING connection_key, id, external_id, user_name
     ) ${GIVE_IDS}`,
    [connectionKey, userKey, id, active, userName, externalId, resource, uuidv7()],
  );
}

export async function updateKept(
  manager: EntityManager,
  userKey: string,
  { userName, externalId, resource }: Pick<UserFields, 'userName' | 'externalId' | 'resource'>,
  active: boolean,
): Promise<void> {
  await manager.query(
    `WITH kept AS (
       UPDATE scim_users SET active = $2, user_name = $3, external_id = $4, resource = $5, emails = ${emailsIn('$5')},
         updated_at = GREATEST(now(), updated_at)
       WHERE user_key = $1 RETURNING connection_key, id, external_id, user_name
     ) ${GIVE_IDS}`,
    [userKey, active, userName, externalId, resource],
  );
}
