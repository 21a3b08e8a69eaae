import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The writes of the directory that are asked for most, each as one function, so that a unit of work is one round trip. What
 * a function does, and in which order it locks, is said where it is called: `src/directory/`.
 *
 * Each statement in a function of PL/pgSQL sees what was committed before that statement began (READ COMMITTED). So what
 * comes after a lock reads what the wait was for; one statement that locks and reads would read what was there before.
 *
 * `jit` is off in them: compiling a plan costs more than it ever saves here, 200 of 270 ms for the types of 10,000 users. And the
 * plans of what requests call are made once for each connection: PostgreSQL would plan statements over arrays anew for every call,
 * because it takes that for cheaper; but all of them go by primary keys, however long the arrays are, and the planning took
 * three quarters of the time of an assignment of one user. So that they go by keys for sure, reading a whole table is ruled out:
 * for ten ids it looks cheaper while the table is small, and then it is read for one.
 */
export class CreateDirectoryFunctions1790000004000 implements MigrationInterface {
  name = 'CreateDirectoryFunctions1790000004000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION require_administrator() RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM id FROM administrator_guard FOR UPDATE;
        IF NOT EXISTS (SELECT 1 FROM users WHERE type = 'administrator' AND status = 'active') THEN
          RAISE EXCEPTION 'no active administrator would be left' USING ERRCODE = 'UA001';
        END IF;
      END $$`);

    await queryRunner.query(`
      CREATE FUNCTION derive_user_types(user_ids text[]) RETURNS TABLE (id text, type user_type)
      LANGUAGE sql STABLE AS $$
        SELECT u.id, COALESCE(GREATEST(
          (SELECT max(p.grants) FROM user_permissions h JOIN permissions p ON p.id = h.permission_id
            WHERE h.user_id = u.id),
          (SELECT max(p.grants) FROM workspace_memberships m
            JOIN workspace_permissions h ON h.workspace_id = m.workspace_id JOIN permissions p ON p.id = h.permission_id
            WHERE m.user_id = u.id),
          (SELECT max(p.grants) FROM group_memberships m
            JOIN group_permissions h ON h.group_id = m.group_id JOIN permissions p ON p.id = h.permission_id
            WHERE m.user_id = u.id)
        ), 'guest')
        FROM unnest(user_ids) AS u (id)
      $$`);

    await queryRunner.query(`
      CREATE FUNCTION refresh_user_types(user_ids text[], derivation text)
      RETURNS TABLE (user_id text, status user_status, before user_type, after user_type)
      LANGUAGE plpgsql SET jit = off AS $$
      #variable_conflict use_column
      BEGIN
        IF derivation IS NULL THEN
          RETURN QUERY
            WITH derived AS MATERIALIZED (SELECT id, type FROM derive_user_types($1))
            UPDATE users SET type = derived.type, updated_at = now()
            FROM derived JOIN users AS old ON old.id = derived.id
            WHERE users.id = derived.id AND users.type <> derived.type
            RETURNING users.id::text, users.status, old.type, users.type;
        ELSE
          RETURN QUERY EXECUTE
            'WITH derived AS MATERIALIZED (' || $2 || ')
             UPDATE users SET type = derived.type, updated_at = now()
             FROM derived JOIN users AS old ON old.id = derived.id
             WHERE users.id = derived.id AND users.type <> derived.type
             RETURNING users.id::text, users.status, old.type, users.type' USING $1;
        END IF;
      END $$`);

    await queryRunner.query(`
      CREATE FUNCTION assign_users(
        user_ids text[], workspace_ids text[], group_ids text[], only_check boolean, derivation text,
        actor_kind text, actor_id text, request_id text
      ) RETURNS TABLE (
        unknown_users text[], unknown_workspaces text[], unknown_groups text[], assigned integer, retyped integer
      )
      LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
      #variable_conflict use_column
      DECLARE
        known_workspaces integer;
        known_groups integer;
        known_users integer;
        memberships journal_new_entry[];
        types journal_new_entry[];
        demoted boolean;
      BEGIN
        PERFORM id FROM workspaces WHERE id = ANY ($2) ORDER BY id FOR KEY SHARE;
        GET DIAGNOSTICS known_workspaces = ROW_COUNT;
        PERFORM id FROM groups WHERE id = ANY ($3) AND workspace_id = ANY ($2) ORDER BY id FOR KEY SHARE;
        GET DIAGNOSTICS known_groups = ROW_COUNT;
        PERFORM id FROM users WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE;
        GET DIAGNOSTICS known_users = ROW_COUNT;

        IF known_users < cardinality($1) OR known_workspaces < cardinality($2) OR known_groups < cardinality($3) THEN
          RETURN QUERY SELECT
            ARRAY(SELECT given FROM unnest($1) AS given WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = given)),
            ARRAY(SELECT given FROM unnest($2) AS given WHERE NOT EXISTS (SELECT 1 FROM workspaces WHERE id = given)),
            ARRAY(SELECT given FROM unnest($3) AS given
              WHERE NOT EXISTS (SELECT 1 FROM groups WHERE id = given AND workspace_id = ANY ($2))),
            NULL::integer, NULL::integer;
          RETURN;
        END IF;
        IF only_check THEN
          RETURN;
        END IF;

        -- The foreign keys are checked at the end of the statement, when both kinds of membership are there.
        WITH workspace_change AS (
          INSERT INTO workspace_memberships (user_id, workspace_id)
          SELECT u.id, w.id FROM unnest($1) AS u (id) CROSS JOIN unnest($2) AS w (id)
          ON CONFLICT DO NOTHING RETURNING user_id, workspace_id
        ), group_change AS (
          INSERT INTO group_memberships (user_id, group_id, workspace_id)
          SELECT u.id, g.id, g.workspace_id FROM unnest($1) AS u (id) CROSS JOIN groups AS g WHERE g.id = ANY ($3)
          ON CONFLICT DO NOTHING RETURNING user_id, workspace_id, group_id
        ), by_user AS (
          SELECT user_id,
            COALESCE(array_agg(workspace_id ORDER BY workspace_id) FILTER (WHERE group_id IS NULL), '{}') AS workspaces,
            COALESCE(array_agg(group_id ORDER BY group_id) FILTER (WHERE group_id IS NOT NULL), '{}') AS groups,
            array_agg(DISTINCT workspace_id::text ORDER BY workspace_id::text) AS concerns
          FROM (
            SELECT user_id, workspace_id, NULL AS group_id FROM workspace_change
            UNION ALL SELECT user_id, workspace_id, group_id FROM group_change
          ) AS change
          GROUP BY user_id
        )
        SELECT array_agg(ROW(
          'user.workspaces.assigned', user_id, concerns, NULL,
          jsonb_build_object('workspaces', workspaces, 'groups', groups)
        )::journal_new_entry ORDER BY user_id) INTO memberships FROM by_user;

        SELECT
          array_agg(ROW(
            'user.type.changed', user_id, NULL, jsonb_build_object('type', before), jsonb_build_object('type', after)
          )::journal_new_entry ORDER BY user_id),
          bool_or(before = 'administrator' AND status = 'active')
          INTO types, demoted FROM refresh_user_types($1, $5);
        IF demoted THEN
          PERFORM require_administrator();
        END IF;
        PERFORM journal_append($6, $7, NULL, NULL, $8, memberships || types);
        assigned := COALESCE(cardinality(memberships), 0);
        retyped := COALESCE(cardinality(types), 0);
        RETURN NEXT;
      END $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION assign_users(text[], text[], text[], boolean, text, text, text, text)`);
    await queryRunner.query(`DROP FUNCTION refresh_user_types(text[], text)`);
    await queryRunner.query(`DROP FUNCTION derive_user_types(text[])`);
    await queryRunner.query(`DROP FUNCTION require_administrator()`);
  }
}
