-- The directory of the two bare contestants, in a database of its own. It never changes, so that figures of different days
-- compare with the same opponent. `bare_*` do the work and nothing else; `floor_*` also judge the caller and write a journal
-- with a hash chain, as the service promises.

CREATE TYPE user_type AS ENUM ('guest', 'member', 'manager', 'administrator');
CREATE TABLE permissions (key integer PRIMARY KEY, grants user_type NOT NULL);
CREATE TABLE users (
  key integer PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  type user_type NOT NULL DEFAULT 'guest',
  active boolean NOT NULL DEFAULT true
) WITH (fillfactor = 85);
CREATE INDEX ON users (key) WHERE type = 'administrator';
CREATE TABLE workspaces (key integer PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE);
CREATE TABLE groups (
  key integer PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  workspace integer NOT NULL REFERENCES workspaces,
  UNIQUE (key, workspace)
);
CREATE TABLE workspace_members (
  "user" integer NOT NULL REFERENCES users,
  workspace integer NOT NULL REFERENCES workspaces,
  PRIMARY KEY ("user", workspace)
);
CREATE INDEX ON workspace_members (workspace);
CREATE TABLE group_members (
  "user" integer NOT NULL,
  workspace integer NOT NULL,
  "group" integer NOT NULL,
  PRIMARY KEY ("user", workspace, "group"),
  FOREIGN KEY ("user", workspace) REFERENCES workspace_members,
  FOREIGN KEY ("group", workspace) REFERENCES groups (key, workspace)
);
CREATE INDEX ON group_members ("group");
CREATE TABLE user_permissions ("user" integer, permission integer REFERENCES permissions, PRIMARY KEY ("user", permission));
CREATE TABLE workspace_permissions (workspace integer, permission integer REFERENCES permissions, PRIMARY KEY (workspace, permission));
CREATE TABLE group_permissions ("group" integer, permission integer REFERENCES permissions, PRIMARY KEY ("group", permission));
CREATE TABLE journal_heads (chain smallint PRIMARY KEY, number bigint NOT NULL, hash bytea NOT NULL) WITH (fillfactor = 10);
INSERT INTO journal_heads SELECT chain, 0, '' FROM generate_series(0, 63) AS chain;
CREATE TABLE journal (
  chain smallint,
  number bigint,
  at timestamptz NOT NULL,
  caller text NOT NULL,
  action text NOT NULL,
  subjects text[] NOT NULL,
  facts jsonb NOT NULL,
  request text NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (chain, number)
);

-- Assigns all users to all places and raises their types, which no assignment can lower. Returns how many users it found; fewer
-- than asked for, and nothing was written.
CREATE FUNCTION bare_assign(user_ids text[], workspace_ids text[], group_ids text[]) RETURNS integer
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  w integer[]; g integer[]; u integer[];
  earned user_type;
BEGIN
  w := ARRAY(SELECT key FROM workspaces WHERE id = ANY (workspace_ids) ORDER BY key FOR KEY SHARE);
  g := ARRAY(SELECT key FROM groups WHERE id = ANY (group_ids) AND workspace = ANY (w) ORDER BY key FOR KEY SHARE);
  u := ARRAY(SELECT key FROM users WHERE id = ANY (user_ids) ORDER BY key FOR NO KEY UPDATE);
  IF cardinality(u) < cardinality(user_ids) OR cardinality(w) < cardinality(workspace_ids)
     OR cardinality(g) < cardinality(group_ids) THEN
    RETURN 0;
  END IF;
  INSERT INTO workspace_members SELECT a, b FROM unnest(u) AS a, unnest(w) AS b ON CONFLICT DO NOTHING;
  INSERT INTO group_members SELECT a, workspace, key FROM unnest(u) AS a, groups WHERE key = ANY (g) ON CONFLICT DO NOTHING;
  SELECT max(grants) INTO earned FROM (
    SELECT permission FROM workspace_permissions WHERE workspace = ANY (w)
    UNION ALL SELECT permission FROM group_permissions WHERE "group" = ANY (g)
  ) AS held JOIN permissions ON key = permission;
  UPDATE users SET type = earned WHERE key = ANY (u) AND type < earned;
  RETURN cardinality(u);
END $$;

CREATE FUNCTION bare_toggle(user_id text) RETURNS integer
LANGUAGE sql AS $$ UPDATE users SET active = NOT active WHERE id = user_id RETURNING 1 $$;

CREATE FUNCTION floor_journal(caller text, action text, subjects text[], facts jsonb, request text) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  head journal_heads;
  written timestamptz := clock_timestamp();
BEGIN
  SELECT * INTO head FROM journal_heads WHERE chain = pg_backend_pid() % 64 FOR UPDATE;
  head.hash := sha256(head.hash || convert_to(jsonb_build_array(written, caller, action, subjects, facts, request)::text, 'UTF8'));
  UPDATE journal_heads SET number = head.number + 1, hash = head.hash WHERE chain = head.chain;
  INSERT INTO journal VALUES (head.chain, head.number + 1, written, caller, action, subjects, facts, request, head.hash);
END $$;

-- As bare_assign, for an administrator who is still one once everything is locked; what changed goes into the journal.
CREATE FUNCTION floor_assign(user_ids text[], workspace_ids text[], group_ids text[], caller text, request text) RETURNS integer
LANGUAGE plpgsql SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  w integer[]; g integer[]; u integer[];
  changes jsonb; types jsonb; subjects text[];
BEGIN
  w := ARRAY(SELECT key FROM workspaces WHERE id = ANY (workspace_ids) ORDER BY key FOR KEY SHARE);
  g := ARRAY(SELECT key FROM groups WHERE id = ANY (group_ids) AND workspace = ANY (w) ORDER BY key FOR KEY SHARE);
  u := ARRAY(SELECT key FROM users WHERE id = ANY (user_ids) ORDER BY key FOR NO KEY UPDATE);
  IF cardinality(u) < cardinality(user_ids) OR cardinality(w) < cardinality(workspace_ids)
     OR cardinality(g) < cardinality(group_ids) THEN
    RETURN 0;
  END IF;
  IF NOT EXISTS (SELECT FROM users WHERE id = caller AND type = 'administrator' AND active) THEN
    RETURN -1;
  END IF;
  WITH joined AS (
    INSERT INTO workspace_members SELECT a, b FROM unnest(u) AS a, unnest(w) AS b ON CONFLICT DO NOTHING
    RETURNING "user", workspace, NULL::integer AS "group"
  ), grouped AS (
    INSERT INTO group_members SELECT a, workspace, key FROM unnest(u) AS a, groups WHERE key = ANY (g)
    ON CONFLICT DO NOTHING RETURNING "user", workspace, "group"
  ), changed AS (
    SELECT users.id, array_agg(workspace) AS workspaces, array_agg("group") AS groups
    FROM (SELECT * FROM joined UNION ALL SELECT * FROM grouped) AS places JOIN users ON key = "user" GROUP BY users.id
  )
  SELECT array_agg(id), jsonb_agg(jsonb_build_array(id, workspaces, groups)) INTO subjects, changes FROM changed;
  WITH derived AS MATERIALIZED (
    SELECT a AS key, GREATEST(
      (SELECT max(grants) FROM user_permissions h JOIN permissions p ON p.key = permission WHERE h."user" = a),
      (SELECT max(grants) FROM workspace_members m JOIN workspace_permissions h USING (workspace)
        JOIN permissions p ON p.key = permission WHERE m."user" = a),
      (SELECT max(grants) FROM group_members m JOIN group_permissions h USING ("group")
        JOIN permissions p ON p.key = permission WHERE m."user" = a), 'guest') AS type
    FROM unnest(u) AS a
  ), changed AS (
    UPDATE users SET type = derived.type FROM derived
    WHERE users.key = derived.key AND users.type <> derived.type RETURNING users.id, users.type
  )
  SELECT jsonb_agg(jsonb_build_array(id, type)) INTO types FROM changed;
  IF changes IS NOT NULL OR types IS NOT NULL THEN
    PERFORM floor_journal(caller, 'assigned', subjects, jsonb_build_array(changes, types), request);
  END IF;
  RETURN cardinality(u);
END $$;

CREATE FUNCTION floor_toggle(user_id text, caller text, request text) RETURNS integer
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  subject users;
BEGIN
  SELECT * INTO subject FROM users WHERE id = user_id FOR NO KEY UPDATE;
  IF NOT EXISTS (SELECT FROM users WHERE id = caller AND type = 'administrator' AND active) THEN
    RETURN -1;
  END IF;
  UPDATE users SET active = NOT active WHERE key = subject.key;
  IF subject.active AND subject.type = 'administrator'
     AND NOT EXISTS (SELECT FROM users WHERE type = 'administrator' AND active) THEN
    RAISE EXCEPTION 'no administrator would be left';
  END IF;
  PERFORM floor_journal(caller, 'toggled', ARRAY[user_id], jsonb_build_object('active', NOT subject.active), request);
  RETURN 1;
END $$;
