import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { AccessLine } from '../../contract/access';
import { accountHasEnded, membershipHasEnded } from '../../directory/current-status';
import { permissionIdsOf } from '../../directory/permission-holders';
import type { ListFilter } from '../../records/list-filters';
import { LIST_ORDERS } from '../../records/list-orders';
import { chooseStart, matchesOf, parametersOf } from '../../records/list-plan';
import { fetchRows, inSnapshot } from './snapshot';

/** Of so few users who match a filter, all are looked up. Of more, all users are walked in their order. */
const FEW = 5_000;

/** A part of the register, and the time of its snapshot. */
export interface AccessPart {
  lines: AccessLine[];
  at: string;
}

interface Row {
  id: string;
  email: string | null;
  displayName: string | null;
  type: AccessLine['user']['type'];
  status: AccessLine['user']['status'];
  activeUntil: string | null;
  /** Null for a user without a source. */
  kind: 'direct' | 'workspace' | 'group' | null;
  place: string;
  name: string;
  workspace: string;
  permissions: string[];
  since: string | null;
  until: string | null;
  actorKind: NonNullable<AccessLine['actor']>['kind'] | null;
  actor: string;
  reason: string | null;
}

/** One row for each membership of a user: `rank` orders the kinds. */
const memberships = (kind: 'workspace' | 'group', rank: number, workspace: string): string => `
  SELECT ${rank} AS rank, '${kind}' AS kind, place.id, place.name, ${workspace} AS workspace,
    ARRAY(${permissionIdsOf(kind, 'place.key')}) AS permissions, m.ends_at AS until,
    m.since, m.change
  FROM ${kind}_memberships AS m JOIN ${kind}s AS place ON place.key = m.${kind}_key
  WHERE m.user_key = record.key AND NOT ${membershipHasEnded('m')}`;

const SOURCES = `
  SELECT 0 AS rank, 'direct' AS kind, p.id, NULL AS name, NULL AS workspace, ARRAY[p.id] AS permissions,
    NULL::timestamptz AS until, h.since, h.change
  FROM user_permissions AS h JOIN permissions AS p ON p.key = h.permission_key WHERE h.user_key = record.key
  UNION ALL ${memberships('workspace', 1, 'place.id')}
  UNION ALL ${memberships('group', 2, '(SELECT id FROM workspaces WHERE key = place.workspace_key)')}`;

/**
 * Each user is read with its own sources, in the order of an index, so that nothing is sorted as a whole. Changes that
 * were committed after the journal was sealed for this are found in the inbox.
 */
const linesOf = (users: string): string => `
  WITH unsealed AS MATERIALIZED (
    SELECT DISTINCT ON (number) number, actor_kind::text, actor_id, reason FROM journal_inbox ORDER BY number, id
  )
  SELECT record.id, record.email, record.display_name AS "displayName", record.type,
    CASE WHEN has_ended THEN 'inactive' ELSE record.status END AS status,
    CASE WHEN NOT has_ended THEN iso_time(record.active_until) END AS "activeUntil",
    source.kind, source.id AS place, source.name, source.workspace, source.permissions,
    iso_time(source.since) AS since, iso_time(source.until) AS until,
    COALESCE(origin.actor_kind, unsealed.actor_kind) AS "actorKind",
    COALESCE(origin.actor_id, unsealed.actor_id) AS actor, COALESCE(origin.reason, unsealed.reason) AS reason
  FROM (SELECT record.*, ${accountHasEnded('record')} AS has_ended FROM ${users}) AS record
  LEFT JOIN LATERAL (${SOURCES}) AS source ON true
  LEFT JOIN LATERAL change_origin(source.change) AS origin ON true
  LEFT JOIN unsealed ON unsealed.number = source.change
  ORDER BY record.id, source.rank, source.id`;

/**
 * Who has what, from where and since when, at one moment: for each user who matches all filters each permission given
 * directly, each workspace and each group. By the id of the user, then the kind of the source, then its id.
 *
 * @param during runs each statement, so that it can be ended
 */
export function readAccess(
  dataSource: DataSource,
  filters: readonly ListFilter[],
  during: <T>(pid: number, statement: () => Promise<T>) => Promise<T>,
): AsyncGenerator<AccessPart, void, undefined> {
  return inSnapshot(dataSource, async function* (runner: QueryRunner) {
    const [{ at, pid }] = (await runner.query(
      'SELECT iso_time(statement_timestamp()) AS at, pg_backend_pid() AS pid',
    )) as [{ at: string; pid: number }];
    const [query, parameters] = await during(pid, () => lines(runner.manager, filters));
    yield { lines: [], at };
    for await (const rows of fetchRows<Row>(runner, query, parameters, (statement) => during(pid, statement)))
      yield { lines: rows.map(toLine), at };
  });
}

async function lines(manager: EntityManager, filters: readonly ListFilter[]): Promise<[string, unknown[]]> {
  const request = { table: 'users', filters, order: LIST_ORDERS.id, wanted: Infinity };
  const start = await chooseStart(manager, request, { few: FEW, examined: Infinity });
  const probes = filters.map(({ probe }) => probe).join(' AND ') || 'true';
  const users =
    start && start.count <= FEW ? matchesOf(start.filter, request) : `users AS record WHERE ${probes} OFFSET 0`;
  const [query, parameters] = manager
    .createQueryBuilder()
    .select('*')
    .from(`(${linesOf(users)})`, 'line')
    .setParameters(parametersOf(filters))
    .getQueryAndParameters();
  return [query, parameters];
}

function toLine(row: Row): AccessLine {
  const { id, email, displayName, type, status, activeUntil, permissions, since, until, actorKind, actor, reason } =
    row;
  return {
    user: { id, email, displayName, type, status, activeUntil },
    source: sourceOf(row),
    permissions: permissions ?? [],
    since,
    until,
    actor: actorKind && { kind: actorKind, id: actor },
    reason,
  };
}

function sourceOf({ kind, place: id, name, workspace }: Row): AccessLine['source'] {
  if (kind === null || kind === 'direct') return kind && { kind };
  return kind === 'workspace' ? { kind, id, name } : { kind, id, name, workspace };
}
