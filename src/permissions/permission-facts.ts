import type { Permission } from '../directory/permission.entity';

/** The facts of a new or deleted permission in the journal. */
export function permissionFacts({ id, description, grants }: Pick<Permission, 'id' | 'description' | 'grants'>) {
  return { permission: id, description, grants };
}

/** The same as SQL over the columns of `permissions`, for sets: what names a permission, and its fields. */
export const PERMISSION_FACTS_IN_SQL = {
  named: `'permission', id`,
  fields: `'description', description, 'grants', grants`,
};
