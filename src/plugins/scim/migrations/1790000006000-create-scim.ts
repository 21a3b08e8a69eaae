import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * SCIM: the connections of identity providers, and what each of them keeps of users and groups. Keys are never used
 * twice, so a key of a workspace or a connection that is gone means nothing.
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
        CONSTRAINT scim_connections_workspace_fkey FOREIGN KEY (workspace_key) REFERENCES workspaces (key)
          ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX scim_connections_token ON scim_connections (token_hash)`);
    await queryRunner.query(`CREATE INDEX scim_connections_previous_token ON scim_connections (previous_token_hash)`);
    await queryRunner.query(`CREATE INDEX scim_connections_workspace ON scim_connections (workspace_key)`);

    // A user belongs to at most one connection. `id` is SCIM's own, and stays when the user is renamed.
    // `provider_active` is the last `active` of the provider. `resource` has the attributes as they were sent, in the
    // spelling of the schemas, except those with a column here. `emails` has its addresses, folded, for filters.
    // `waits_for` is an address of the user that another user has; `waits_since` is null for a former owner that is not
    // active again. Lists are in the order of `key`, so new users come last.
    await queryRunner.query(`
      CREATE TABLE scim_users (
        key bigint GENERATED ALWAYS AS IDENTITY,
        connection_key bigint NOT NULL,
        user_key bigint NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        provider_active boolean NOT NULL,
        id text COLLATE "C" NOT NULL,
        user_name text COLLATE "C" NOT NULL,
        external_id text COLLATE "C",
        emails text[] COLLATE "C" NOT NULL DEFAULT '{}',
        waits_for text COLLATE "C",
        waits_since timestamptz(3),
        resource jsonb NOT NULL,
        CONSTRAINT scim_users_pkey PRIMARY KEY (connection_key, key),
        CONSTRAINT scim_users_id_unique UNIQUE (connection_key, id),
        CONSTRAINT scim_users_user_unique UNIQUE (user_key),
        CONSTRAINT scim_users_connection_fkey FOREIGN KEY (connection_key) REFERENCES scim_connections (key)
          ON DELETE CASCADE,
        CONSTRAINT scim_users_user_fkey FOREIGN KEY (user_key) REFERENCES users (key) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX scim_users_user_name_unique ON scim_users (connection_key, fold_case(user_name))`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX scim_users_external_id_unique ON scim_users (connection_key, external_id)`,
    );
    await queryRunner.query(
      'CREATE INDEX scim_users_waiting ON scim_users (connection_key, fold_case(waits_for), waits_since) ' +
        'WHERE waits_for IS NOT NULL',
    );
    await queryRunner.query(`CREATE INDEX scim_users_emails ON scim_users USING gin (emails)`);

    // The SHA-256 of each id of SCIM that a connection has given, and of the folded `userName` and the `externalId` of
    // the person whose it is.
    await queryRunner.query(`
      CREATE TABLE scim_given_ids (
        connection_key bigint NOT NULL,
        id bytea NOT NULL,
        user_name bytea NOT NULL,
        external_id bytea,
        CONSTRAINT scim_given_ids_pkey PRIMARY KEY (connection_key, id),
        CONSTRAINT scim_given_ids_connection_fkey FOREIGN KEY (connection_key)
          REFERENCES scim_connections (key) ON DELETE CASCADE
      )`);

    await this.createLeavers(queryRunner);
    await this.createMemberships(queryRunner);

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
        CONSTRAINT scim_groups_connection_fkey FOREIGN KEY (connection_key) REFERENCES scim_connections (key)
          ON DELETE CASCADE,
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

  /**
   * Users that a connection has deleted, or that were inactive when it ended, as long as no connection has them: no
   * other person gets their records. The rows outlive the connection.
   */
  private async createLeavers(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE scim_leavers (
        user_key bigint NOT NULL,
        connection_key bigint NOT NULL,
        left_at timestamptz(3) NOT NULL DEFAULT now(),
        id text COLLATE "C" NOT NULL,
        user_name text COLLATE "C" NOT NULL,
        external_id text COLLATE "C",
        CONSTRAINT scim_leavers_pkey PRIMARY KEY (user_key),
        CONSTRAINT scim_leavers_user_fkey FOREIGN KEY (user_key) REFERENCES users (key) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX scim_leavers_external_id ON scim_leavers (external_id)`);
    await queryRunner.query(`CREATE INDEX scim_leavers_user_name ON scim_leavers (fold_case(user_name))`);
    await queryRunner.query(`
      CREATE FUNCTION remember_scim_leavers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO scim_leavers (user_key, connection_key, id, user_name, external_id)
        SELECT user_key, connection_key, p.id, user_name, external_id
        FROM scim_users AS p JOIN users AS u ON u.key = user_key
        WHERE connection_key = OLD.key AND u.status = 'inactive' ORDER BY user_key;
        RETURN OLD;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER scim_connections_ending BEFORE DELETE ON scim_connections
      FOR EACH ROW EXECUTE FUNCTION remember_scim_leavers()`);
  }

  /**
   * The memberships that a connection made, of a workspace or of a group, for as long as they last. They are of the
   * connection that has the user. Those that were lost are kept, with the time of the transaction that took them, so
   * that an undoing gives them back as they were: `undo_besides_scim`.
   */
  private async createMemberships(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE scim_memberships (
        user_key bigint NOT NULL,
        workspace_key bigint NOT NULL,
        group_key bigint,
        CONSTRAINT scim_memberships_workspace_fkey FOREIGN KEY (user_key, workspace_key)
          REFERENCES workspace_memberships (user_key, workspace_key) ON DELETE CASCADE,
        CONSTRAINT scim_memberships_group_fkey FOREIGN KEY (user_key, workspace_key, group_key)
          REFERENCES group_memberships (user_key, workspace_key, group_key) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      'CREATE UNIQUE INDEX scim_memberships_unique ON scim_memberships (user_key, workspace_key, ' +
        'COALESCE(group_key, 0))',
    );
    await queryRunner.query(`
      CREATE TABLE scim_lost_memberships (
        user_key bigint NOT NULL,
        workspace_key bigint NOT NULL,
        group_key bigint,
        lost_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT scim_lost_memberships_user_fkey FOREIGN KEY (user_key) REFERENCES users (key) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX scim_lost_memberships_unique
       ON scim_lost_memberships (user_key, workspace_key, COALESCE(group_key, 0))`,
    );
    // Triggers instead of foreign keys: the check of one would lock a place after users, against the order of locks. A
    // row that is written while its place is deleted stays, and means nothing, because keys are never used again.
    for (const place of ['workspace', 'group']) {
      await queryRunner.query(`CREATE INDEX scim_lost_memberships_${place} ON scim_lost_memberships (${place}_key)`);
      await queryRunner.query(`
        CREATE FUNCTION forget_lost_scim_${place}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          DELETE FROM scim_lost_memberships WHERE ${place}_key = OLD.key;
          RETURN NULL;
        END $$`);
      await queryRunner.query(`
        CREATE TRIGGER ${place}s_forget_lost_scim AFTER DELETE ON ${place}s
        FOR EACH ROW EXECUTE FUNCTION forget_lost_scim_${place}()`);
    }
    // A membership that is gone with its user or its place cannot come back.
    await queryRunner.query(`
      CREATE FUNCTION keep_lost_scim_membership() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO scim_lost_memberships (user_key, workspace_key, group_key)
        SELECT OLD.user_key, OLD.workspace_key, OLD.group_key
        WHERE EXISTS (SELECT FROM users WHERE key = OLD.user_key) AND EXISTS (SELECT FROM workspaces
          WHERE key = OLD.workspace_key)
          AND (OLD.group_key IS NULL OR EXISTS (SELECT FROM groups WHERE key = OLD.group_key))
          AND NOT EXISTS (
            SELECT FROM workspace_memberships
            WHERE OLD.group_key IS NULL AND (user_key, workspace_key) = (OLD.user_key, OLD.workspace_key)
          ) AND NOT EXISTS (
            SELECT FROM group_memberships WHERE (user_key, workspace_key, group_key) = (OLD.user_key, OLD.workspace_key,
              OLD.group_key)
          )
        ON CONFLICT (user_key, workspace_key, COALESCE(group_key, 0)) DO UPDATE SET lost_at = EXCLUDED.lost_at;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER scim_memberships_lost AFTER DELETE ON scim_memberships
      FOR EACH ROW EXECUTE FUNCTION keep_lost_scim_membership()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'scim_made_groups',
      'scim_groups',
      'scim_lost_memberships',
      'scim_memberships',
      'scim_leavers',
      'scim_given_ids',
      'scim_users',
      'scim_connections',
    ])
      await queryRunner.query(`DROP TABLE ${table}`);
    for (const place of ['workspace', 'group'])
      await queryRunner.query(`DROP FUNCTION forget_lost_scim_${place}() CASCADE`);
    await queryRunner.query(`DROP FUNCTION remember_scim_leavers, keep_lost_scim_membership`);
  }
}
