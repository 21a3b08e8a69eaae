import type { DataSource } from 'typeorm';

/**
 * Users whose type is not what they have earned, by a reading of the rule that is none of the service's: list every
 * permission that anyone holds, by whatever way, and take the highest.
 */
export function falseTypes(dataSource: DataSource): Promise<object[]> {
  return dataSource.query(`
    WITH held AS (
      SELECT user_id, permission_id FROM user_permissions
      UNION SELECT user_id, permission_id FROM workspace_memberships JOIN workspace_permissions USING (workspace_id)
      UNION SELECT user_id, permission_id FROM group_memberships JOIN group_permissions USING (group_id)
    ), earned AS (
      SELECT DISTINCT ON (users.id) users.id, users.type AS written, coalesce(permissions.grants, 'guest') AS earned
      FROM users LEFT JOIN held ON held.user_id = users.id LEFT JOIN permissions ON permissions.id = held.permission_id
      ORDER BY users.id, permissions.grants DESC NULLS LAST
    )
    SELECT * FROM earned WHERE written <> earned`);
}
