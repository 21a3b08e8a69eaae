import type { DataSource } from 'typeorm';

/**
 * Users with a wrong type, by an independent implementation of the rule: list every
 * permission that a user holds directly or through a workspace or group, and take the highest.
 */
export function falseTypes(dataSource: DataSource): Promise<object[]> {
  return dataSource.query(`
    WITH held AS (
      SELECT user_key, permission_key FROM user_permissions
      UNION SELECT user_key, permission_key FROM workspace_memberships JOIN workspace_permissions USING (workspace_key)
      UNION SELECT user_key, permission_key FROM group_memberships JOIN group_permissions USING (group_key)
    ), earned AS (
      SELECT DISTINCT ON (users.id) users.id, users.type AS written, coalesce(permissions.grants, 'guest') AS earned
      FROM users LEFT JOIN held ON held.user_key = users.key LEFT JOIN permissions ON permissions.key = held.permission_key
      ORDER BY users.id, permissions.grants DESC NULLS LAST
    )
    SELECT * FROM earned WHERE written <> earned`);
}
