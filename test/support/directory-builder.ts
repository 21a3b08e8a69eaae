import type { DataSource } from 'typeorm';
import type { UserStatus, UserType } from '../../src/contract/directory';

/**
 * Writes rows of the directory for a test without the service's checks. The constraints of the database still apply.
 *
 * @example
 * await directory.permission('reading', 'member');
 * await directory.workspace('atlas', ['reading']);
 * await directory.user('ada', { type: 'administrator' });
 */
export class DirectoryBuilder {
  constructor(private readonly dataSource: DataSource) {}

  async permission(id: string, grants: UserType): Promise<void> {
    await this.dataSource.query('INSERT INTO permissions (id, grants) VALUES ($1, $2)', [id, grants]);
  }

  async workspace(id: string, permissions: string[] = []): Promise<void> {
    await this.write('workspace', 'INSERT INTO workspaces (id, name) VALUES ($1::text, $1::text)', [id], permissions);
  }

  async group(id: string, workspace: string, permissions: string[] = []): Promise<void> {
    const insert =
      'INSERT INTO groups (id, name, workspace_key) SELECT $1::text, $1::text, key FROM workspaces WHERE id = $2';
    await this.write('group', insert, [id, workspace], permissions);
  }

  /** A user whose row has this type, whatever the permissions are. */
  async user(id: string, user: { type?: UserType; status?: UserStatus; permissions?: string[] } = {}): Promise<void> {
    const { type = 'guest', status = 'active', permissions = [] } = user;
    await this.write(
      'user',
      'INSERT INTO users (id, type, status) VALUES ($1, $2, $3)',
      [id, type, status],
      permissions,
    );
  }

  /** Adds a user to a workspace, and to groups of it. */
  async member(userId: string, workspaceId: string, groupIds: string[] = []): Promise<void> {
    await this.dataSource.query(
      `WITH place AS (
         INSERT INTO workspace_memberships (user_key, workspace_key)
         SELECT u.key, w.key FROM users AS u, workspaces AS w WHERE u.id = $1 AND w.id = $2
         RETURNING user_key, workspace_key
       )
       INSERT INTO group_memberships (user_key, workspace_key, group_key)
       SELECT place.*, g.key FROM place, groups AS g WHERE g.id = ANY ($3)`,
      [userId, workspaceId, groupIds],
    );
  }

  /** Everything that an assignment or a status change can alter, in a form that can be compared as a whole. */
  async state(): Promise<{ users: object[]; workspaces: string[]; groups: string[] }> {
    const users: object[] = await this.dataSource.query('SELECT id, type, status FROM users ORDER BY id');
    const workspaces: { line: string }[] = await this.dataSource.query(
      `SELECT u.id || ' in ' || w.id AS line FROM workspace_memberships
       JOIN users AS u ON u.key = user_key JOIN workspaces AS w ON w.key = workspace_key ORDER BY 1`,
    );
    const groups: { line: string }[] = await this.dataSource.query(
      `SELECT u.id || ' in ' || g.id AS line FROM group_memberships
       JOIN users AS u ON u.key = user_key JOIN groups AS g ON g.key = group_key ORDER BY 1`,
    );
    return { users, workspaces: workspaces.map(({ line }) => line), groups: groups.map(({ line }) => line) };
  }

  async typeOf(userId: string): Promise<UserType | undefined> {
    const [row]: { type: UserType }[] = await this.dataSource.query('SELECT type FROM users WHERE id = $1', [userId]);
    return row?.type;
  }

  /** Removes every record. For the few rows of a test, this is a hundred times as fast as `TRUNCATE`, which creates new files. */
  async clear(): Promise<void> {
    await this.dataSource.query('WITH u AS (DELETE FROM users), w AS (DELETE FROM workspaces) DELETE FROM permissions');
  }

  /** Creates a record that is given these permissions. */
  private async write(
    kind: 'user' | 'workspace' | 'group',
    insert: string,
    values: string[],
    permissions: string[],
  ): Promise<void> {
    if (permissions.length === 0) {
      await this.dataSource.query(insert, values);
      return;
    }
    await this.dataSource.query(
      `WITH made AS (${insert} RETURNING key)
       INSERT INTO ${kind}_permissions (${kind}_key, permission_key)
       SELECT made.key, p.key FROM made, permissions AS p WHERE p.id = ANY ($${values.length + 1}::text[])`,
      [...values, permissions],
    );
  }
}
