import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The directory: who exists, and how they are related. The database itself keeps these rules:
 * a group lives in exactly one workspace, and a user in a group is in that group's workspace.
 */
export class CreateDirectory1790000000000 implements MigrationInterface {
  name = 'CreateDirectory1790000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TYPE user_type AS ENUM ('guest', 'member', 'manager', 'administrator')`);
    await queryRunner.query(`CREATE TYPE user_status AS ENUM ('active', 'inactive')`);
    await queryRunner.query(`
      CREATE TABLE permissions (
        id varchar(255) COLLATE "C" NOT NULL,
        description text,
        grants user_type NOT NULL,
        CONSTRAINT permissions_pkey PRIMARY KEY (id),
        CONSTRAINT permissions_id_not_empty CHECK (id <> '')
      )`);
    await queryRunner.query(`
      CREATE TABLE users (
        id varchar(255) COLLATE "C" NOT NULL,
        email text,
        display_name text,
        type user_type NOT NULL DEFAULT 'guest',
        status user_status NOT NULL DEFAULT 'active',
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT users_pkey PRIMARY KEY (id),
        CONSTRAINT users_id_not_empty CHECK (id <> '')
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX users_email_unique ON users (lower(email))`);
    await queryRunner.query(
      `CREATE INDEX users_active_administrators ON users (id) WHERE type = 'administrator' AND status = 'active'`,
    );
    await queryRunner.query(`
      CREATE TABLE workspaces (
        id varchar(255) COLLATE "C" NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT workspaces_pkey PRIMARY KEY (id),
        CONSTRAINT workspaces_id_not_empty CHECK (id <> '')
      )`);
    await queryRunner.query(`
      CREATE TABLE groups (
        id varchar(255) COLLATE "C" NOT NULL,
        name text NOT NULL,
        workspace_id varchar(255) COLLATE "C" NOT NULL,
        CONSTRAINT groups_pkey PRIMARY KEY (id),
        CONSTRAINT groups_id_not_empty CHECK (id <> ''),
        CONSTRAINT groups_id_workspace_unique UNIQUE (id, workspace_id),
        CONSTRAINT groups_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX groups_workspace ON groups (workspace_id)`);
    await queryRunner.query(`
      CREATE TABLE workspace_memberships (
        user_id varchar(255) COLLATE "C" NOT NULL,
        workspace_id varchar(255) COLLATE "C" NOT NULL,
        CONSTRAINT workspace_memberships_pkey PRIMARY KEY (user_id, workspace_id),
        CONSTRAINT workspace_memberships_user_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT workspace_memberships_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX workspace_memberships_workspace ON workspace_memberships (workspace_id)`);
    await queryRunner.query(`
      CREATE TABLE group_memberships (
        user_id varchar(255) COLLATE "C" NOT NULL,
        group_id varchar(255) COLLATE "C" NOT NULL,
        workspace_id varchar(255) COLLATE "C" NOT NULL,
        CONSTRAINT group_memberships_pkey PRIMARY KEY (user_id, group_id),
        CONSTRAINT group_memberships_workspace_membership_fkey FOREIGN KEY (user_id, workspace_id)
          REFERENCES workspace_memberships (user_id, workspace_id) ON DELETE CASCADE,
        CONSTRAINT group_memberships_group_fkey FOREIGN KEY (group_id, workspace_id)
          REFERENCES groups (id, workspace_id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX group_memberships_group ON group_memberships (group_id)`);
    await queryRunner.query(
      `CREATE INDEX group_memberships_workspace_membership ON group_memberships (user_id, workspace_id)`,
    );
    for (const holder of ['user', 'workspace', 'group']) {
      await queryRunner.query(`
        CREATE TABLE ${holder}_permissions (
          ${holder}_id varchar(255) COLLATE "C" NOT NULL,
          permission_id varchar(255) COLLATE "C" NOT NULL,
          CONSTRAINT ${holder}_permissions_pkey PRIMARY KEY (${holder}_id, permission_id),
          CONSTRAINT ${holder}_permissions_${holder}_fkey FOREIGN KEY (${holder}_id) REFERENCES ${holder}s (id) ON DELETE CASCADE,
          CONSTRAINT ${holder}_permissions_permission_fkey FOREIGN KEY (permission_id) REFERENCES permissions (id) ON DELETE CASCADE
        )`);
      await queryRunner.query(`CREATE INDEX ${holder}_permissions_permission ON ${holder}_permissions (permission_id)`);
    }
    await queryRunner.query(`
      CREATE TABLE administrator_guard (
        id smallint NOT NULL DEFAULT 1,
        CONSTRAINT administrator_guard_pkey PRIMARY KEY (id),
        CONSTRAINT administrator_guard_one_row CHECK (id = 1)
      )`);
    await queryRunner.query(`INSERT INTO administrator_guard DEFAULT VALUES`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'administrator_guard',
      'group_permissions',
      'workspace_permissions',
      'user_permissions',
      'group_memberships',
      'workspace_memberships',
      'groups',
      'workspaces',
      'users',
      'permissions',
    ]) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
    await queryRunner.query(`DROP TYPE user_status`);
    await queryRunner.query(`DROP TYPE user_type`);
  }
}
