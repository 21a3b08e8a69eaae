import type { DataSource } from 'typeorm';

interface UserRow {
  user: string;
  type: string;
  status: string;
  /** Null without any. */
  workspaces: string | null;
  groups: string | null;
}

/** The users of the directory, with what a reader of the transcript needs. */
export async function readUsers(dataSource: DataSource): Promise<UserRow[]> {
  return await dataSource.query(`
    SELECT id AS user, type, status,
      (SELECT string_agg(w.id, ' ' ORDER BY w.id) FROM workspace_memberships m JOIN workspaces w ON w.key = m.workspace_key
        WHERE m.user_key = u.key) AS workspaces,
      (SELECT string_agg(g.id, ' ' ORDER BY g.id) FROM group_memberships m JOIN groups g ON g.key = m.group_key
        WHERE m.user_key = u.key) AS groups
    FROM users u ORDER BY id`);
}

/** The rows as aligned columns under their names. */
export function tableOf(rows: UserRow[]): string[] {
  const names = ['user', 'type', 'status', 'workspaces', 'groups'] as const;
  const cells = [[...names], ...rows.map((row) => names.map((name) => row[name] || '-'))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
