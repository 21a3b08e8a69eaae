import type { ObjectLiteral } from 'typeorm';
import type { UserStatus, UserType } from '../contract/directory';
import { LIMITS } from '../contract/limits';
import { searchLength, searchWords } from '../contract/field.rules';
import { accountHasEnded, membershipHasEnded } from '../directory/current-status';
import type { ListPosition } from './list-cursor';
import type { ListOrder } from './list-orders';

/** One condition of a list, with its parameters. The alias of the record is `record`. */
export interface ListFilter {
  /**
   * What it tests: at most a hundred values of which each is that of one record, the position, a column that an index
   * has before the id, the text, or the key in another table.
   */
  kind: 'few' | 'position' | 'column' | 'search' | 'set';
  parameters: ObjectLiteral;
  /** A test of one record, by an index. */
  probe: string;
  /** A query for the keys of all matches, from an index. A key may come more than once. */
  keys?: string;
}

/** The filters of one list, by their query parameters. */
export type ListFilters<Query> = { readonly [Name in keyof Query]?: (value: NonNullable<Query[Name]>) => ListFilter };

/** In the order in which a user is tested: a permission takes the longest. */
export const USER_FILTERS = {
  email: hasEmail,
  status: hasStatus,
  type: hasType,
  workspace: (id: string) => memberOf('workspace', id),
  group: (id: string) => memberOf('group', id),
  endsBefore,
  permission: holderOf,
};

export const GROUP_FILTERS = { workspace: inWorkspace };

export const PERMISSION_FILTERS = { grants: grantsType };

export function hasId(ids: readonly string[]): ListFilter {
  return { kind: 'few', parameters: { ids }, probe: 'record.id = ANY(:ids)' };
}

/** Records after a position in the order of a list. */
export function isAfter({ id, detail }: ListPosition, { column, descending }: ListOrder): ListFilter {
  const [columns, values] = column
    ? [`record.${column}, record.id`, ':afterValue, :afterId']
    : ['record.id', ':afterId'];
  return {
    kind: 'position',
    parameters: { afterId: id, afterValue: detail },
    probe: `(${columns}) ${descending ? '<' : '>'} (${values})`,
  };
}

/** Users of a type. */
function hasType(type: UserType): ListFilter {
  const keys = 'SELECT key FROM users WHERE type = :type';
  return { kind: 'column', parameters: { type }, probe: 'record.type = :type', keys };
}

/** Users whose end has passed and is not carried out: nearly always nobody. */
const ENDED_USERS = `SELECT key FROM users WHERE active_until <= ends_clock() AND ${accountHasEnded('users')}`;

/** A membership that has ended is none. */
const lasts = (place: string): string => `NOT ${membershipHasEnded(`${place}_memberships`)}`;

/** Users with a status. The table of inactive users shows it without reading the user. Nearly all users are active. */
function hasStatus(status: UserStatus): ListFilter {
  const isInactive =
    `(${exists('inactive_users WHERE user_key = record.key')} OR (record.key IN (${ENDED_USERS})) ` + 'IS TRUE)';
  if (status === 'active') return { kind: 'set', parameters: {}, probe: `NOT ${isInactive}` };
  const keys = `SELECT user_key AS key FROM inactive_users UNION ALL ${ENDED_USERS}`;
  return { kind: 'set', parameters: {}, probe: isInactive, keys };
}

/** Permissions that grant a type. */
function grantsType(grants: UserType): ListFilter {
  const keys = 'SELECT key FROM permissions WHERE grants = :grants';
  return { kind: 'column', parameters: { grants }, probe: 'record.grants = :grants', keys };
}

/**
 * Records that contain each word of a text, whatever the case and accents. One or two characters are in most records,
 * so they find only what begins with them: an id, an email, or a word of a name. Without trigram indexes, a search
 * finds only beginnings of ids.
 */
export function contains(text: string, anywhere: boolean): ListFilter {
  if (!anywhere) return { kind: 'search', parameters: { search: text }, probe: like('search', '') };
  const words = searchWords(text);
  const probes = words.map((word, index) =>
    searchLength(word) >= LIMITS.searchAnywhere
      ? like(`search${index}`, `'%' || `)
      : `(${['', `E'%\\n' || `, `E'%\\n%\\n% ' || `].map((before) => like(`search${index}`, before)).join(' OR ')})`,
  );
  return {
    kind: 'search',
    parameters: Object.fromEntries(words.map((word, index) => [`search${index}`, word])),
    probe: probes.join(' AND ') || 'true',
  };
}

const like = (parameter: string, before: string): string =>
  `record.searchable LIKE ${before}searchable_part(fold_case(:${parameter})) || '%'`;

/** Users with one of these addresses. */
function hasEmail(emails: readonly string[]): ListFilter {
  const folded = 'ARRAY(SELECT fold_case(email) FROM unnest(CAST(:emails AS text[])) AS email)';
  return { kind: 'few', parameters: { emails }, probe: `fold_case(record.email) = ANY(${folded})` };
}

const WORKSPACE = '(SELECT key FROM workspaces WHERE id = :workspace)';
const PERMISSION = '(SELECT key FROM permissions WHERE id = :permission)';

/** Users in a workspace or group. */
function memberOf(place: 'workspace' | 'group', id: string): ListFilter {
  const key = `(SELECT key FROM ${place}s WHERE id = :${place})`;
  return {
    kind: 'set',
    parameters: { [place]: id },
    probe: exists(`${place}_memberships WHERE user_key = record.key AND ${place}_key = ${key} AND ${lasts(place)}`),
    keys: `SELECT user_key AS key FROM ${place}_memberships WHERE ${place}_key = ${key} AND ${lasts(place)}`,
  };
}

/** Users whose account or any membership ends before a time. Few have an end. */
function endsBefore(time: Date): ListFilter {
  const ending = {
    users: ['key', 'active_until'],
    workspace_memberships: MEMBERSHIP_END,
    group_memberships: MEMBERSHIP_END,
  };
  const sources = Object.entries(ending).map(([table, [key, end]]) => ({
    key,
    from: `${table} AS own WHERE own.${end} < :endsBefore`,
  }));
  return {
    kind: 'set',
    parameters: { endsBefore: time },
    probe: `(${sources.map(({ key, from }) => exists(`${from} AND own.${key} = record.key`)).join(' OR ')})`,
    keys: sources.map(({ key, from }) => `SELECT own.${key} AS key FROM ${from}`).join(' UNION ALL '),
  };
}

const MEMBERSHIP_END = ['user_key', 'ends_at'];

/** Users who hold a permission directly, through a workspace or through a group. */
function holderOf(id: string): ListFilter {
  const permitted = (place: string) =>
    `SELECT ${place}_key FROM ${place}_permissions WHERE permission_key = ${PERMISSION}`;
  // IS TRUE keeps the places of the permission in a hash, which is made once. A join would look up each membership.
  const through = (place: string) =>
    exists(
      `${place}_memberships WHERE user_key = record.key AND (${place}_key IN (${permitted(place)})) IS TRUE AND ` +
        `${lasts(place)}`,
    );
  const members = (place: string) =>
    `SELECT user_key FROM ${place}_memberships
     WHERE ${place}_key = ANY(ARRAY(${permitted(place)})) AND ${lasts(place)}`;
  return {
    kind: 'set',
    parameters: { permission: id },
    probe: `(${[
      through('workspace'),
      through('group'),
      exists(`user_permissions WHERE user_key = record.key AND permission_key = ${PERMISSION}`),
    ].join(' OR ')})`,
    keys: `SELECT user_key AS key FROM user_permissions WHERE permission_key = ${PERMISSION}
      UNION ALL ${members('workspace')} UNION ALL ${members('group')}`,
  };
}

/** Groups of a workspace. */
function inWorkspace(id: string): ListFilter {
  const keys = `SELECT key FROM groups WHERE workspace_key = ${WORKSPACE}`;
  return { kind: 'column', parameters: { workspace: id }, probe: `record.workspace_key = ${WORKSPACE}`, keys };
}

/**
 * A scalar subquery, which PostgreSQL evaluates for each record by an index. It might turn an EXISTS into a join of all
 * rows.
 */
function exists(source: string): string {
  return `COALESCE((SELECT true FROM ${source} LIMIT 1), false)`;
}
