-- The directory of the bare contestant, in a database of its own. It never changes, so that figures of different days compare
-- with the same opponent. Its functions do the work and nothing else.

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
