import { currentStatus } from '../../directory/current-status';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Complex, ENTERPRISE_USER, USER, USER_TYPE } from '@user-administration/scim-protocol';
import { etagOf } from '../../answers/etag';
import type { UserStatus, UserType } from '../../contract/directory';
import { GIVE_IDS, isGiven } from './leavers';
import type { Resource, ResourceKind } from './resource-kind';
import type { UserFields } from './user-fields';
import { isSelective, userCondition } from './user-filter';

/** A user of a connection: the fields that the connection stores, and our record. */
export interface ProvisionedUser {
  /** The position in lists. */
  key: string;
  /** SCIM's id. */
  id: string;
  userName: string;
  externalId: string | null;
  /** The last `active` of the provider. `status` is ours. */
  providerActive: boolean;
  /** As it was sent, with `displayName`. */
  resource: Complex;
  /** An address of the user that another user has. */
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

/** For a query over {@link FROM}. */
const COLUMNS = `p.key, p.id, p.user_name AS "userName", p.external_id AS "externalId",
  p.provider_active AS "providerActive", p.resource, p.waits_for AS "waitsFor", p.waits_since AS "waitsSince",
  p.created_at AS "createdAt", GREATEST(p.updated_at, u.updated_at) AS "updatedAt", u.key AS "userKey",
  u.id AS "userId", u.email, u.display_name AS "displayName", u.type, ${currentStatus('u')} AS status`;

const FROM = 'scim_users AS p JOIN users AS u ON u.key = p.user_key';

export const USERS: ResourceKind<ProvisionedUser> = {
  type: USER_TYPE,
  unknown: 'user.unknown',
  columns: COLUMNS,
  from: FROM,
  positionsFrom: 'scim_users AS p',
  connectionKey: 'p.connection_key',
  id: 'p.id',
  key: 'p.key',
  sortKey: 'p.key',
  bytes: 'octet_length(p.resource::text)',
  hasMembers: false,
  condition: userCondition,
  isSelective,
  toResource,
};

function toResource(user: ProvisionedUser): Resource {
  const { meta, ...content } = versioned(user);
  return { ...content, meta: { ...meta, version: etagOf({ ...content, meta }) } };
}

/** The content that the version of a user is computed from. */
export function versioned({
  id,
  userName,
  externalId,
  displayName,
  status,
  resource,
  createdAt,
  updatedAt,
}: ProvisionedUser) {
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

export async function findProvisioned(
  manager: EntityManager,
  connectionKey: string,
  userKey: string,
): Promise<ProvisionedUser | undefined> {
  const [found]: ProvisionedUser[] = await manager.query(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE p.connection_key = $1 AND p.user_key = $2`,
    [connectionKey, userKey],
  );
  return found;
}

/** The addresses in a resource, as filters compare them. The index has a limit of length. */
const emailsIn = (resource: string): string => `ARRAY(SELECT DISTINCT left(fold_case(email ->> 'value'), 320)
  FROM jsonb_array_elements(${resource}::jsonb -> 'emails') AS email WHERE email ? 'value')`;

/**
 * Stores a new user of a connection, and removes its record of a leaver.
 *
 * @param user its id is replaced if the connection has given it to another person
 */
export async function insertProvisioned(
  manager: EntityManager,
  connectionKey: string,
  { id, userKey, providerActive }: Pick<ProvisionedUser, 'id' | 'userKey' | 'providerActive'>,
  { userName, externalId, resource }: UserFields,
): Promise<void> {
  await manager.query(
    `WITH back AS (DELETE FROM scim_leavers WHERE user_key = $2), provisioned AS (
       INSERT INTO scim_users (connection_key, user_key, id, provider_active, user_name, external_id, resource, emails)
       SELECT $1::bigint, $2::bigint, CASE WHEN ${isGiven('$1', '$3', '$6', '$5')} THEN $8 ELSE $3 END,
         $4::boolean, $5::text, $6::text, $7::jsonb, ${emailsIn('$7')}
       RETURNING connection_key, id, external_id, user_name
     ) ${GIVE_IDS}`,
    [connectionKey, userKey, id, providerActive, userName, externalId, resource, uuidv7()],
  );
}

export async function updateProvisioned(
  manager: EntityManager,
  userKey: string,
  { userName, externalId, resource }: Pick<UserFields, 'userName' | 'externalId' | 'resource'>,
  providerActive: boolean,
): Promise<void> {
  await manager.query(
    `WITH provisioned AS (
       UPDATE scim_users SET provider_active = $2, user_name = $3, external_id = $4, resource = $5,
         emails = ${emailsIn('$5')}, updated_at = GREATEST(now(), updated_at)
       WHERE user_key = $1 RETURNING connection_key, id, external_id, user_name
     ) ${GIVE_IDS}`,
    [userKey, providerActive, userName, externalId, resource],
  );
}
