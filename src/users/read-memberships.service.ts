import { Injectable } from '@nestjs/common';
import { PAGE_BYTES } from '../answers/page-budget';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import { membershipHasEnded } from '../directory/current-status';
import { Statements } from '@user-administration/postgres';
import { ListCursor } from '../records/list-cursor';
import type { MembershipPageDto, MembershipsQueryDto } from './dto/memberships.dto';

type Membership = MembershipPageDto['memberships'][number];

/** A workspace, with those of its groups that fit on the page. */
interface Row extends Membership {
  /** Whether anything of it fits. */
  fits: boolean;
  /** Whether all of it fits. */
  is_whole: boolean;
}

/** A workspace or group as the answer shows it. The end of the membership is told only if there is one. */
const place = (id: string, name: string, end: string): string => `
  CASE WHEN ${end} IS NULL THEN json_build_object('id', ${id}, 'name', ${name})
    ELSE json_build_object('id', ${id}, 'name', ${name}, 'until', iso_time(${end})) END`;

const LASTS = `NOT ${membershipHasEnded('m')}`;

/**
 * Each membership of a group is a row, and so is a workspace without any. A row fits if the rows up to it do not exceed
 * the limits of a page. One row more is read, so that the last of the workspaces tells whether there is more.
 *
 * `bytes` is the size of a row in the answer: the group, and the workspace in its first row.
 */
const PAGE = `
  SELECT ${place('id', 'name', 'ends_at')} AS workspace,
    COALESCE(json_agg(${place('group_id', 'group_name', 'group_ends_at')} ORDER BY group_id)
      FILTER (WHERE fits AND group_id IS NOT NULL), '[]') AS groups,
    bool_or(fits) AS fits, bool_and(fits) AS is_whole
  FROM (
    SELECT *, row <= ${LIMITS.groupsPage} AND workspace_number <= $4
      AND sum(bytes) OVER (ORDER BY row) <= ${PAGE_BYTES} AS fits
    FROM (
      SELECT *, CASE WHEN group_id IS NULL THEN 0
          ELSE octet_length(${place('group_id', 'group_name', 'group_ends_at')}::text) + 1 END
        + CASE WHEN group_id IS DISTINCT FROM first_group THEN 0
          ELSE octet_length(json_build_object('workspace', ${place('id', 'name', 'ends_at')}, 'groups', '')::text) + 2
          END AS bytes
      FROM (
        SELECT *, row_number() OVER (ORDER BY id, group_id) AS row, dense_rank() OVER (ORDER BY id) AS workspace_number,
          first_value(group_id) OVER (PARTITION BY id ORDER BY group_id) AS first_group
        FROM (
          SELECT w.id, w.name, w.ends_at, g.id AS group_id, g.name AS group_name, g.ends_at AS group_ends_at
          FROM (
            SELECT w.key, w.id, w.name, m.ends_at
            FROM workspace_memberships AS m JOIN workspaces AS w ON w.key = workspace_key
            WHERE user_key = users.key AND ${LASTS}
              AND ($2::text IS NULL OR w.id > $2 OR ($3::text IS NOT NULL AND w.id = $2))
            ORDER BY w.id LIMIT $4 + 2
          ) AS w
          LEFT JOIN LATERAL (
            SELECT g.id, g.name, m.ends_at FROM group_memberships AS m JOIN groups AS g ON g.key = m.group_key
            WHERE m.user_key = users.key AND m.workspace_key = w.key AND ${LASTS}
              AND ($3::text IS NULL OR w.id > $2 OR g.id > $3)
          ) AS g ON true
          -- Of a workspace that an earlier page began, there may be no groups left.
          WHERE $3::text IS NULL OR w.id > $2 OR g.id IS NOT NULL
          ORDER BY w.id, g.id LIMIT ${LIMITS.groupsPage + 1}
        ) AS listed
      ) AS numbered
    ) AS measured
  ) AS judged
  GROUP BY id, name, ends_at ORDER BY id`;

/** Reads the workspaces of a user, by id and in pages, each with the user's groups in it. */
@Injectable()
export class ReadMembershipsService {
  constructor(private readonly statements: Statements) {}

  /**
   * A workspace with more groups than fit on the page continues on the next one. The cursor then has the last group as
   * well.
   *
   * @throws ServiceError `user.unknown`, `query.invalid` for a cursor of another list
   */
  async execute(id: string, { limit, cursor: text }: MembershipsQueryDto): Promise<MembershipPageDto> {
    if (!isIdentifier(id)) throw new ServiceError('user.unknown');
    const cursor = new ListCursor(['memberships', id], isGroup);
    const after = cursor.read(text);
    // One statement, so that the user and the memberships come from the same moment.
    const rows = await this.statements.query<(Row | { workspace: null })[]>(
      `SELECT page.* FROM users LEFT JOIN LATERAL (${PAGE}) AS page ON true WHERE users.id = $1`,
      [id, after?.id, after?.detail, limit],
    );
    if (rows.length === 0) throw new ServiceError('user.unknown');
    const found = rows.filter((row): row is Row => row.workspace !== null);
    const shown = found.filter(({ fits }) => fits);
    const last = shown.at(-1);
    const next = last && found.some(({ is_whole }) => !is_whole) ? cursor.write(positionAfter(last)) : null;
    return { memberships: shown.map(({ workspace, groups }) => ({ workspace, groups })), next };
  }
}

function positionAfter({ workspace, groups, is_whole }: Row) {
  return { id: workspace.id, detail: is_whole ? undefined : groups.at(-1)?.id };
}

function isGroup(value: unknown): value is string | undefined {
  return value === undefined || isIdentifier(value);
}
