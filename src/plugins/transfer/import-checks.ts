import type { EntityManager } from 'typeorm';
import { OvertakenError } from '@user-administration/postgres';
import { isNewIdentifier, NEW_ID_RULE } from '../../contract/identifiers';
import { RECORD_KINDS } from './directory-record.rules';
import { ImportError, type LineProblem, MOST_PROBLEMS, quote } from './import-error';
import type { ImportProgress } from './import-progress';

interface Finding {
  line: number;
  id: string;
  other: string;
  /** Whether the record is there now, although it was not when the import took its locks. */
  hasAppeared: boolean;
}

/** A query for invalid lines, and the message for one of them. */
interface Check {
  faults: string;
  /** Whether it also tells whether the other record has appeared. */
  seesAppeared?: true;
  problem(finding: Finding): string;
}

/**
 * A reference to a record that is neither in the file nor in the directory. Only a locked record counts: any other one
 * could be deleted again before the import refers to it.
 */
const unknown = (what: string, table: string, references: string): Check => ({
  faults: `
    SELECT line, id, target AS other, EXISTS (SELECT FROM ${table} WHERE ${table}.id = target) AS "hasAppeared"
    FROM (${references}) AS given
    WHERE NOT EXISTS (
        SELECT FROM ${table} JOIN import_locks USING (key) WHERE ${table}.id = target AND import_locks.kind = '${what}')
      AND NOT EXISTS (SELECT FROM staged_records AS staged WHERE staged.kind = '${what}' AND staged.id = target)`,
  seesAppeared: true,
  problem: ({ other }) => `there is no ${what} ${quote(other)}, neither in this file nor in the directory`,
});

const links = (list: string): string => `SELECT line, id, target FROM staged_links WHERE list = '${list}'`;

/** An end that has passed is read as ended, and one that a record has already can stay. */
const isTooFar = (end: string): string => `${end} > ends_clock() AND NOT is_ahead(${end})`;
const tooFar = (end: string): string => `the end ${end} is more than ten years ahead`;

const EVERY_RECORD = RECORD_KINDS.map((kind) => `SELECT '${kind}' AS kind, id FROM ${kind}s`).join(' UNION ALL ');

const CHECKS: readonly Check[] = [
  {
    faults: `
      SELECT line, id, first_line || ' ' || kind AS other
      FROM (SELECT line, kind, id, min(line) OVER (PARTITION BY kind, id) AS first_line FROM staged_records) AS numbered
      WHERE line > first_line`,
    problem: ({ id, other }) => {
      const [line, kind] = other.split(' ');
      return `the ${kind} ${quote(id)} is already on line ${line}`;
    },
  },
  {
    // Records that have such ids keep them.
    faults: `
      SELECT line, id, kind AS other FROM staged_records AS staged WHERE NOT may_be_new AND NOT EXISTS (
        SELECT FROM (${EVERY_RECORD}) AS existing
        WHERE existing.kind = staged.kind AND existing.id = staged.id)`,
    problem: ({ id, other }) => {
      const rule = isNewIdentifier(id) ? 'is not the name of an operation' : NEW_ID_RULE;
      return `there is no ${other} ${quote(id)} yet, and the id of a new ${other} ${rule}`;
    },
  },
  {
    faults: `
      SELECT line, id, record ->> 'activeUntil' AS other FROM staged_records AS staged
      WHERE kind = 'user' AND ${isTooFar(`(record ->> 'activeUntil')::timestamptz`)} AND NOT EXISTS (
        SELECT FROM users WHERE users.id = staged.id AND active_until = (record ->> 'activeUntil')::timestamptz)`,
    problem: ({ other }) => tooFar(other),
  },
  ...(['workspace', 'group'] as const).map((place) => ({
    faults: `
      SELECT line, staged.id, given.until AS other FROM staged_records AS staged
      CROSS JOIN LATERAL jsonb_each_text(record -> 'ends' -> '${place}s') AS given (place, until)
      WHERE kind = 'user' AND record ? 'ends' AND ${isTooFar('given.until::timestamptz')} AND NOT EXISTS (
        SELECT FROM ${place}_memberships AS m JOIN users ON users.key = m.user_key
          JOIN ${place}s AS p ON p.key = m.${place}_key
        WHERE users.id = staged.id AND p.id = given.place AND m.ends_at = given.until::timestamptz)`,
    problem: ({ other }: Finding) => tooFar(other),
  })),
  unknown('permission', 'permissions', links('permissions')),
  unknown('workspace', 'workspaces', links('workspaces')),
  unknown(
    'workspace',
    'workspaces',
    `SELECT line, id, record ->> 'workspace' AS target FROM staged_records WHERE kind = 'group'`,
  ),
  unknown('group', 'groups', links('groups')),
  {
    faults: `
      SELECT line, staged.id, workspaces.id AS other
      FROM staged_records AS staged JOIN groups ON groups.id = staged.id
        JOIN workspaces ON workspaces.key = workspace_key
      WHERE kind = 'group' AND workspaces.id <> record ->> 'workspace'`,
    problem: ({ id, other }) =>
      `the group ${quote(id)} lives in the workspace ${quote(other)} and cannot move to another`,
  },
  {
    faults: `
      SELECT link.line, link.target AS id, target_group.workspace AS other
      FROM staged_links AS link
      JOIN staged_records AS member ON member.kind = 'user' AND member.id = link.id
      LEFT JOIN staged_records AS staged ON staged.kind = 'group' AND staged.id = link.target
      LEFT JOIN (groups JOIN workspaces ON workspaces.key = groups.workspace_key) ON groups.id = link.target
      CROSS JOIN LATERAL (SELECT coalesce(staged.record ->> 'workspace', workspaces.id) AS workspace) AS target_group
      WHERE link.kind = 'user' AND link.list = 'groups' AND target_group.workspace IS NOT NULL AND NOT CASE
        WHEN member.record ? 'workspaces' THEN EXISTS (
          SELECT FROM staged_links AS given
          WHERE given.kind = 'user' AND given.list = 'workspaces' AND given.id = link.id
            AND given.target = target_group.workspace)
        ELSE EXISTS (
          SELECT FROM workspace_memberships AS had
          JOIN users ON users.key = had.user_key JOIN workspaces AS there ON there.key = had.workspace_key
          WHERE users.id = link.id AND there.id = target_group.workspace)
        END`,
    problem: ({ id, other }) =>
      `the group ${quote(id)} lives in the workspace ${quote(other)}, which this user is not in`,
  },
  {
    // The database would also remove the user from these groups, although the line does not mention them.
    faults: `
      SELECT line, groups.id, workspaces.id AS other
      FROM staged_records AS member JOIN users ON users.id = member.id
        JOIN group_memberships AS had ON had.user_key = users.key
      JOIN groups ON groups.key = had.group_key JOIN workspaces ON workspaces.key = had.workspace_key
      WHERE kind = 'user' AND record ? 'workspaces' AND NOT record ? 'groups' AND NOT EXISTS (
        SELECT FROM staged_links AS given
        WHERE given.kind = 'user' AND given.list = 'workspaces' AND given.id = member.id
          AND given.target = workspaces.id)`,
    problem: ({ id, other }) =>
      `this user is in the group ${quote(id)} of the workspace ${quote(other)}, which the line takes away: ` +
      'list the workspace, or give the groups that remain',
  },
  {
    faults: `
      SELECT line, id, other FROM (
        SELECT line, record ->> 'email' AS id, lag(line) OVER (PARTITION BY fold_case(record ->> 'email')
          ORDER BY line) AS other
        FROM staged_records WHERE kind = 'user' AND record ->> 'email' IS NOT NULL) AS given
      WHERE other IS NOT NULL`,
    problem: ({ id, other }) => `the email ${quote(id)} is already given on line ${other}`,
  },
  {
    faults: `
      SELECT line, record ->> 'email' AS id, users.id AS other
      FROM staged_records AS given JOIN users ON fold_case(users.email) = fold_case(record ->> 'email')
        AND users.id <> given.id
      WHERE kind = 'user' AND NOT EXISTS (
        SELECT FROM staged_records AS moved WHERE moved.kind = 'user' AND moved.id = users.id
          AND moved.record ? 'email')`,
    problem: ({ id, other }) => `the email ${quote(id)} belongs to the user ${quote(other)}`,
  },
];

/** One statement for all of them, because a file of one line has to be checked in a moment. */
const EVERY_CHECK = `${CHECKS.map(
  ({ faults, seesAppeared }, check) => `(
    SELECT DISTINCT ON (line) ${check} AS "check", line, id::text, other::text,
      ${seesAppeared ? '"hasAppeared"' : 'false AS "hasAppeared"'}
    FROM (${faults}) AS found ORDER BY line, id LIMIT ${MOST_PROBLEMS})`,
).join(' UNION ALL ')} ORDER BY "check"`;

/**
 * Finds lines that contradict the rest of the file or the directory.
 *
 * @param problems of lines that are not well-formed
 * @throws ImportError for the first bad lines, each with the first of its problems
 * @throws OvertakenError if another transaction has created a record that one of them names
 */
export async function checkStaged(
  manager: EntityManager,
  problems: readonly LineProblem[],
  progress: ImportProgress,
): Promise<void> {
  const found = new Map(problems.map(({ line, problem }) => [line, problem]));
  const findings: (Finding & { check: number })[] = await manager.query(EVERY_CHECK);
  for (const finding of findings) {
    if (finding.hasAppeared) throw new OvertakenError(`another transaction created ${quote(finding.other)}`);
    if (!found.has(finding.line)) found.set(finding.line, CHECKS[finding.check]?.problem(finding) ?? '');
  }
  progress.step();
  const first = [...found].map(([line, problem]) => ({ line, problem })).sort((a, b) => a.line - b.line);
  if (first.length > 0) throw new ImportError(first.slice(0, MOST_PROBLEMS));
}

export const CHECK_STEPS = 1;
