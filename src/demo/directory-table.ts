import type { DataSource } from 'typeorm';

export interface UserRow {
  user: string;
  type: string;
  status: string;
  workspaces: string;
  groups: string;
}

/** Who is in the directory, in no more than what a reader of the story wants to know. */
export async function readUsers(dataSource: DataSource): Promise<UserRow[]> {
  return await dataSource.query(`
    SELECT id AS user, type, status,
      array_to_string(ARRAY(SELECT workspace_id FROM workspace_memberships m WHERE m.user_id = u.id ORDER BY 1), ' ') AS workspaces,
      array_to_string(ARRAY(SELECT group_id FROM group_memberships m WHERE m.user_id = u.id ORDER BY 1), ' ') AS groups
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
