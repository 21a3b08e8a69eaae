import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What differs in `assign_users`: whether, when it is done, one row says of how many users memberships and types changed. */
const ASSIGN_SILENTLY = { columns: '', unknown: '', done: '' };
const ASSIGN_AND_TELL = {
  columns: ', assigned integer, retyped integer',
  unknown: ', NULL::integer, NULL::integer',
  done: `assigned := COALESCE(cardinality(memberships), 0);
    retyped := COALESCE(cardinality(types), 0);
    RETURN NEXT;`,
};

/** What differs in `change_user_status`: whether it says which status the user got, null for none. */
const CHANGE_SILENTLY = { type: 'void', none: '', target: '' };
const CHANGE_AND_TELL = { type: 'user_status', none: 'NULL', target: 'RETURN target;' };

function assignUsers({ columns, unknown, done }: typeof ASSIGN_SILENTLY): string {
  return `
  CREATE FUNCTION assign_users(
    user_ids text[], workspace_ids text[], group_ids text[], only_check boolean, derivation text,
    actor_kind text, actor_id text, request_id text
  ) RETURNS TABLE (unknown_users text[], unknown_workspaces text[], unknown_groups text[]${columns})
  LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan AS $$
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
          WHERE NOT EXISTS (SELECT 1 FROM groups WHERE id = given AND workspace_id = ANY ($2)))${unknown};
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
    ${done}
  END $$`;
}

function changeUserStatus({ type, none, target }: typeof CHANGE_SILENTLY): string {
  return `
  CREATE FUNCTION change_user_status(
    user_id text, new_status user_status, token_id text, token_expires_at timestamptz, minter_id text,
    actor_kind text, actor_id text, granted_by text, reason text, request_id text
  ) RETURNS ${type} LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_column
  DECLARE
    subject users;
    target user_status;
  BEGIN
    SELECT * INTO subject FROM users WHERE id = $1 FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the user is unknown' USING ERRCODE = 'UA002';
    END IF;

    IF token_id IS NOT NULL THEN
      INSERT INTO spent_status_tokens (id, expires_at) VALUES (token_id, token_expires_at) ON CONFLICT DO NOTHING;
      IF FOUND THEN
        IF minter_id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM users WHERE id = minter_id AND type = 'administrator' AND status = 'active'
        ) THEN
          RAISE EXCEPTION 'whoever gave the permission is no longer an administrator' USING ERRCODE = 'UA002';
        END IF;
      ELSIF subject.status <> new_status THEN
        RAISE EXCEPTION 'the status token has been used' USING ERRCODE = 'UA002';
      END IF;
    END IF;

    target := COALESCE(new_status, CASE subject.status WHEN 'active' THEN 'inactive' ELSE 'active' END::user_status);
    IF target = subject.status THEN
      RETURN ${none};
    END IF;
    UPDATE users SET status = target, updated_at = now() WHERE id = $1;
    IF target = 'inactive' AND subject.type = 'administrator' THEN
      PERFORM require_administrator();
    END IF;
    PERFORM journal_append($6, $7, $8, $9, $10, ARRAY[ROW(
      'user.status.changed', $1, NULL,
      jsonb_build_object('status', subject.status), jsonb_build_object('status', target)
    )::journal_new_entry]);
    ${target}
  END $$`;
}

/**
 * The functions that requests call also say what they changed, so that it can be counted without another statement. What a
 * function returns cannot be replaced, so they are made anew; nothing else in them is different.
 */
export class TellWhatChanged1790000009000 implements MigrationInterface {
  name = 'TellWhatChanged1790000009000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await drop(queryRunner);
    await queryRunner.query(assignUsers(ASSIGN_AND_TELL));
    await queryRunner.query(changeUserStatus(CHANGE_AND_TELL));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await drop(queryRunner);
    await queryRunner.query(assignUsers(ASSIGN_SILENTLY));
    await queryRunner.query(changeUserStatus(CHANGE_SILENTLY));
  }
}

async function drop(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`DROP FUNCTION assign_users(text[], text[], text[], boolean, text, text, text, text)`);
  await queryRunner.query(
    `DROP FUNCTION change_user_status(text, user_status, text, timestamptz, text, text, text, text, text, text)`,
  );
}
