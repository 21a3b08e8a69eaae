import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ids that differ from what `plain_id` makes of them: those that begin with an apostrophe, `=` or a zero, end with
 * `.0`, or have a blank or an invisible character.
 */
const ODD_ID =
  String.raw`^[''=0]|[.]0$|[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200f\u2028\u2029` +
  String.raw`\u202f\u205f\u2060\u3000\ufeff]`;

/**
 * The directory: users, workspaces, groups, permissions, and their relations. The database enforces two rules: a group
 * belongs to exactly one workspace, and a member of a group is a member of the group's workspace.
 *
 * Callers refer to records by the text `id`, and tables refer to each other by the numeric `key`: a membership with its
 * indexes takes a third of the space that it takes with ids. Columns of fixed width come first, which saves padding.
 *
 * Lists search the column `searchable` for text anywhere in a record. It is kept, because making it takes 15 us for
 * each record, which would be most of the time of a search.
 */
export class CreateDirectory1790000000000 implements MigrationInterface {
  name = 'CreateDirectory1790000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TYPE user_type AS ENUM ('guest', 'member', 'manager', 'administrator')`);
    await queryRunner.query(`CREATE TYPE user_status AS ENUM ('active', 'inactive')`);
    await queryRunner.query(`
      CREATE TABLE permissions (
        key bigint GENERATED ALWAYS AS IDENTITY,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        grants user_type NOT NULL,
        id varchar(255) COLLATE "C" NOT NULL,
        description text COLLATE "C",
        searchable text COLLATE "C" GENERATED ALWAYS AS (searchable(id, NULL, description)) STORED,
        CONSTRAINT permissions_pkey PRIMARY KEY (key),
        CONSTRAINT permissions_id_unique UNIQUE (id),
        CONSTRAINT permissions_id_not_empty CHECK (id <> '')
      )`);
    // The fillfactor leaves room on each page, so that an update without a change of an indexed column writes no index
    // (HOT).
    await queryRunner.query(`
      CREATE TABLE users (
        key bigint GENERATED ALWAYS AS IDENTITY,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        id_since timestamptz(3) NOT NULL DEFAULT now(),
        active_until timestamptz(3),
        end_refused_at timestamptz(3),
        type user_type NOT NULL DEFAULT 'guest',
        status user_status NOT NULL DEFAULT 'active',
        id varchar(255) COLLATE "C" NOT NULL,
        email text COLLATE "C",
        display_name text COLLATE "C",
        searchable text COLLATE "C" GENERATED ALWAYS AS (searchable(id, email, display_name)) STORED,
        name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(display_name)) STORED,
        CONSTRAINT users_pkey PRIMARY KEY (key) INCLUDE (id, created_at, type),
        CONSTRAINT users_id_unique UNIQUE (id) INCLUDE (key),
        CONSTRAINT users_id_not_empty CHECK (id <> '')
      ) WITH (fillfactor = 85)`);
    await queryRunner.query(`CREATE UNIQUE INDEX users_email_unique ON users (fold_case(email))`);
    await queryRunner.query(`CREATE INDEX users_administrators ON users (key) WHERE type = 'administrator'`);
    await queryRunner.query(`
      CREATE TABLE workspaces (
        key bigint GENERATED ALWAYS AS IDENTITY,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        id varchar(255) COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        searchable text COLLATE "C" GENERATED ALWAYS AS (searchable(id, NULL, name)) STORED,
        CONSTRAINT workspaces_pkey PRIMARY KEY (key),
        CONSTRAINT workspaces_id_unique UNIQUE (id),
        CONSTRAINT workspaces_id_not_empty CHECK (id <> '')
      )`);
    await queryRunner.query(`
      CREATE TABLE groups (
        key bigint GENERATED ALWAYS AS IDENTITY,
        workspace_key bigint NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        id varchar(255) COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        searchable text COLLATE "C" GENERATED ALWAYS AS (searchable(id, NULL, name)) STORED,
        CONSTRAINT groups_pkey PRIMARY KEY (key),
        CONSTRAINT groups_id_unique UNIQUE (id),
        CONSTRAINT groups_id_not_empty CHECK (id <> ''),
        CONSTRAINT groups_key_workspace_unique UNIQUE (key, workspace_key),
        CONSTRAINT groups_workspace_fkey FOREIGN KEY (workspace_key) REFERENCES workspaces (key) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX groups_workspace ON groups (workspace_key, id)`);
    await queryRunner.query(`
      CREATE TABLE workspace_memberships (
        user_key bigint NOT NULL,
        workspace_key bigint NOT NULL,
        ends_at timestamptz(3),
        end_refused_at timestamptz(3),
        CONSTRAINT workspace_memberships_pkey PRIMARY KEY (user_key, workspace_key),
        CONSTRAINT workspace_memberships_user_fkey FOREIGN KEY (user_key) REFERENCES users (key) ON DELETE CASCADE,
        CONSTRAINT workspace_memberships_workspace_fkey FOREIGN KEY (workspace_key) REFERENCES workspaces (key)
          ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE INDEX workspace_memberships_workspace ON workspace_memberships (workspace_key, user_key)`,
    );
    await queryRunner.query(`
      CREATE TABLE group_memberships (
        user_key bigint NOT NULL,
        workspace_key bigint NOT NULL,
        group_key bigint NOT NULL,
        ends_at timestamptz(3),
        end_refused_at timestamptz(3),
        CONSTRAINT group_memberships_pkey PRIMARY KEY (user_key, workspace_key, group_key),
        CONSTRAINT group_memberships_workspace_membership_fkey FOREIGN KEY (user_key, workspace_key)
          REFERENCES workspace_memberships (user_key, workspace_key) ON DELETE CASCADE,
        CONSTRAINT group_memberships_group_fkey FOREIGN KEY (group_key, workspace_key)
          REFERENCES groups (key, workspace_key) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX group_memberships_group ON group_memberships (group_key, user_key)`);
    for (const holder of ['user', 'workspace', 'group']) {
      await queryRunner.query(`
        CREATE TABLE ${holder}_permissions (
          ${holder}_key bigint NOT NULL,
          permission_key bigint NOT NULL,
          CONSTRAINT ${holder}_permissions_pkey PRIMARY KEY (${holder}_key, permission_key),
          CONSTRAINT ${holder}_permissions_${holder}_fkey FOREIGN KEY (${holder}_key) REFERENCES ${holder}s (key)
            ON DELETE CASCADE,
          CONSTRAINT ${holder}_permissions_permission_fkey FOREIGN KEY (permission_key) REFERENCES permissions (key)
            ON DELETE CASCADE
        )`);
      await queryRunner.query(
        `CREATE INDEX ${holder}_permissions_permission ON ${holder}_permissions (permission_key, ${holder}_key)`,
      );
    }
    await queryRunner.query(`
      CREATE TABLE administrator_guard (
        id smallint NOT NULL DEFAULT 1,
        CONSTRAINT administrator_guard_pkey PRIMARY KEY (id),
        CONSTRAINT administrator_guard_one_row CHECK (id = 1)
      )`);
    await queryRunner.query(`INSERT INTO administrator_guard DEFAULT VALUES`);
    // The rule by which the types of this directory are derived. The first change writes it: `claim_user_type_rule`.
    await queryRunner.query(`
      CREATE TABLE user_type_rule (
        id smallint NOT NULL DEFAULT 1,
        fingerprint text COLLATE "C" NOT NULL,
        CONSTRAINT user_type_rule_pkey PRIMARY KEY (id),
        CONSTRAINT user_type_rule_one_row CHECK (id = 1)
      )`);
    await this.createEndIndexes(queryRunner);
    // Few ids are odd, so an import finds those that a spreadsheet could have made of others without reading all users.
    await queryRunner.query(`CREATE INDEX users_odd_ids ON users (id) WHERE id ~ '${ODD_ID}'`);
  }

  /**
   * What ends: by its end, by its user, by its place, and what could not end. Nearly everything has no end, so these
   * indexes are small, and a directory without ends pays nothing for them.
   */
  private async createEndIndexes(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX users_active_until ON users (active_until, key) WHERE active_until IS NOT NULL',
    );
    await createRefusedIndex(queryRunner, 'users');
    for (const place of ['workspace', 'group']) {
      const table = `${place}_memberships`;
      const where = 'WHERE ends_at IS NOT NULL';
      await queryRunner.query(`CREATE INDEX ${table}_ends_at ON ${table} (ends_at, user_key) ${where}`);
      await queryRunner.query(`CREATE INDEX ${table}_user_ends_at ON ${table} (user_key, ends_at) ${where}`);
      await queryRunner.query(
        `CREATE INDEX ${table}_${place}_ends_at ON ${table} (${place}_key, ends_at, user_key) ${where}`,
      );
      await createRefusedIndex(queryRunner, table);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'administrator_guard',
      'user_type_rule',
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
    await queryRunner.query(`DROP TYPE user_status, user_type`);
  }
}

async function createRefusedIndex(queryRunner: QueryRunner, table: string): Promise<void> {
  await queryRunner.query(
    `CREATE INDEX ${table}_end_refused_at ON ${table} (end_refused_at) WHERE end_refused_at IS NOT NULL`,
  );
}
