import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * SCIM: the connections of identity providers, and what each of them keeps of users and groups. Keys are never used twice, so a
 * key of a workspace or a connection that is gone means nothing.
 */
export class CreateScim1790000006000 implements MigrationInterface {
  name = 'CreateScim1790000006000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Of a token, only the SHA-256 is kept: it has 256 random bits, so there is nothing to guess.
    await queryRunner.query(`
      CREATE TABLE scim_connections (
        key bigint GENERATED ALWAYS AS IDENTITY,
        workspace_key bigint NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3),
        may_grant_administrator boolean NOT NULL DEFAULT false,
        id text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        more_workspace_keys bigint[] NOT NULL DEFAULT '{}',
        id_from text COLLATE "C" NOT NULL DEFAULT 'externalId',
        token_hash bytea NOT NULL,
        previous_token_hash bytea,
        previous_token_expires_at timestamptz(3),
        CONSTRAINT scim_connections_pkey PRIMARY KEY (key),
        CONSTRAINT scim_connections_id_unique UNIQUE (id),
        CONSTRAINT scim_connections_id_from CHECK (id_from IN ('externalId', 'userName')),
        CONSTRAINT scim_connections_workspace_fkey FOREIGN KEY (workspace_key) REFERENCES workspaces (key) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX scim_connections_token ON scim_connections (token_hash)`);
    await queryRunner.query(`CREATE INDEX scim_connections_previous_token ON scim_connections (previous_token_hash)`);
    await queryRunner.query(`CREATE INDEX scim_connections_workspace ON scim_connections (workspace_key)`);

    // A user belongs to at most one connection. `id` is SCIM's own, which stays when the user is renamed. `active` is what the provider said
    // last. `resource` has the attributes as they were sent, in the spelling of the schemas, but for those that have a column here or in
    // `users`. `emails` has the addresses in it, folded, for filters. Lists are in the order of `key`, so new users come last.
    await queryRunner.query(`
      CREATE TABLE scim_users (
        key bigint GENERATED ALWAYS AS IDENTITY,
        connection_key bigint NOT NULL,
        user_key bigint NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        active boolean NOT NULL,
        id text COLLATE "C" NOT NULL,
        user_name text COLLATE "C" NOT NULL,
        external_id text COLLATE "C",
        emails text[] COLLATE "C" NOT NULL DEFAULT '{}',
        resource jsonb NOT NULL,
        CONSTRAINT scim_users_pkey PRIMARY KEY (connection_key, key),
        CONSTRAINT scim_users_id_unique UNIQUE (connection_key, id),
        CONSTRAINT scim_users_user_unique UNIQUE (user_key),
        CONSTRAINT scim_users_connection_fkey FOREIGN KEY (connection_key) REFERENCES scim_connections (key) ON DELETE CASCADE,
        CONSTRAINT scim_users_user_fkey FOREIGN KEY (user_key) REFERENCES users (key) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX scim_users_user_name_unique ON scim_users (connection_key, fold_case(user_name))`,
    );
    await queryRunner.query(`CREATE INDEX scim_users_external_id ON scim_users (connection_key, external_id)`);
    await queryRunner.query(`CREATE INDEX scim_users_emails ON scim_users USING gin (emails)`);

    // The memberships that a connection made, for as long as they last: of a workspace, or of a group.
    await queryRunner.query(`
      CREATE TABLE scim_memberships (
        connection_key bigint NOT NULL,
        user_key bigint NOT NULL,
        workspace_key bigint NOT NULL,
        group_key bigint,
        CONSTRAINT scim_memberships_workspace_fkey FOREIGN KEY (user_key, workspace_key)
          REFERENCES workspace_memberships (user_key, workspace_key) ON DELETE CASCADE,
        CONSTRAINT scim_memberships_group_fkey FOREIGN KEY (user_key, workspace_key, group_key)
          REFERENCES group_memberships (user_key, workspace_key, group_key) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX scim_memberships_unique ON scim_memberships (user_key, workspace_key, COALESCE(group_key, 0))`,
    );

    // What a connection keeps of a group that it sees, and how often it changed the members: the version of a group
    // follows from it.
    await queryRunner.query(`
      CREATE TABLE scim_groups (
        connection_key bigint NOT NULL,
        group_key bigint NOT NULL,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        changes integer NOT NULL DEFAULT 0,
        external_id text COLLATE "C",
        CONSTRAINT scim_groups_pkey PRIMARY KEY (connection_key, group_key),
        CONSTRAINT scim_groups_connection_fkey FOREIGN KEY (connection_key) REFERENCES scim_connections (key) ON DELETE CASCADE,
        CONSTRAINT scim_groups_group_fkey FOREIGN KEY (group_key) REFERENCES groups (key) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX scim_groups_group ON scim_groups (group_key)`);
    await queryRunner.query(`CREATE INDEX scim_groups_external_id ON scim_groups (connection_key, external_id)`);

    // The groups that a connection made. Those of a connection that has ended are of the one that has their workspace.
    await queryRunner.query(`
      CREATE TABLE scim_made_groups (
        group_key bigint NOT NULL,
        connection_key bigint,
        CONSTRAINT scim_made_groups_pkey PRIMARY KEY (group_key),
        CONSTRAINT scim_made_groups_group_fkey FOREIGN KEY (group_key) REFERENCES groups (key) ON DELETE CASCADE,
        CONSTRAINT scim_made_groups_connection_fkey FOREIGN KEY (connection_key)
          REFERENCES scim_connections (key) ON DELETE SET NULL
      )`);
    await queryRunner.query(`CREATE INDEX scim_made_groups_connection ON scim_made_groups (connection_key)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['scim_made_groups', 'scim_groups', 'scim_memberships', 'scim_users', 'scim_connections'])
      await queryRunner.query(`DROP TABLE ${table}`);
  }
}
