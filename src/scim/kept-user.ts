import type { EntityManager } from 'typeorm';
import { etagOf } from '../answers/etag';
import type { UserStatus, UserType } from '../contract/directory';
import type { UserFields } from './user-fields';
import type { Complex } from './scim-resource';
import { ENTERPRISE_USER, USER } from './user-schema';

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
  resource: Complex;
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
    ...(displayName !== null && { displayName }),
    active: status === 'active',
    ...resource,
    meta: { resourceType: 'User', created: createdAt.toISOString(), lastModified: updatedAt.toISOString() },
  };
}

/** What a PATCH changes: a user as the provider knows it. */
export function toPatchable({ userName, externalId, displayName, active, resource }: KeptUser): Complex {
  return {
    ...resource,
    userName,
    ...(externalId !== null && { externalId }),
    ...(displayName !== null && { displayName }),
    active,
  };
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

/** The addresses in a resource, as filters compare them. An index takes no longer texts. */
const emailsIn = (resource: string): string => `ARRAY(SELECT DISTINCT left(fold_case(email ->> 'value'), 320)
  FROM jsonb_array_elements(${resource}::jsonb -> 'emails') AS email WHERE email ? 'value')`;

/** Keeps a new user of a connection. */
export async function insertKept(
  manager: EntityManager,
  connectionKey: string,
  { id, userKey, active }: Pick<KeptUser, 'id' | 'userKey' | 'active'>,
  { userName, externalId, resource }: UserFields,
): Promise<void> {
  await manager.query(
    `INSERT INTO scim_users (connection_key, user_key, id, active, user_name, external_id, resource, emails)
     VALUES ($1, $2, $3, $4, $5, $6, $7, ${emailsIn('$7')})`,
    [connectionKey, userKey, id, active, userName, externalId, resource],
  );
}

export async function updateKept(
  manager: EntityManager,
  userKey: string,
  { userName, externalId, resource }: UserFields,
  active: boolean,
): Promise<void> {
  await manager.query(
    `UPDATE scim_users SET active = $2, user_name = $3, external_id = $4, resource = $5, emails = ${emailsIn('$5')},
       updated_at = GREATEST(now(), updated_at)
     WHERE user_key = $1`,
    [userKey, active, userName, externalId, resource],
  );
}
