import type { EntityManager } from 'typeorm';
import type { Act } from '../journal/act';
import { recordableAct } from '../journal/recordable';
import { entry } from './import-entry';
import { RECORD_CHANGES } from './import-record-changes';

/** Entries that are appended at once. All of them would not fit into a constant amount of memory. */
const CHUNK_ENTRIES = 2_000;
/** A chunk ends with the entry that fills it: few users can be in many thousand places. */
const CHUNK_BYTES = 4_000_000;

const listed = (table: string, target: string): string =>
  `ARRAY(SELECT ${target} FROM ${table} WHERE user_id = users.id ORDER BY 1)`;

/** The type, and the fields that an import can write, as a file would give them. Who is not in the file keeps the fields. */
const USER_STATE = `
  users.type, CASE WHEN EXISTS (
    SELECT FROM staged_records AS staged WHERE staged.kind = 'user' AND staged.id = users.id
  ) THEN jsonb_build_object(
    'email', users.email, 'displayName', users.display_name, 'status', users.status,
    'permissions', ${listed('user_permissions', 'permission_id')},
    'workspaces', ${listed('workspace_memberships', 'workspace_id')},
    'groups', ${listed('group_memberships', 'group_id')}
  ) END AS fields`;

/** Keeps what the users affected are, before anything is written, in `users_before`. Who is not in it is new. */
export async function rememberUsers(manager: EntityManager): Promise<void> {
  await manager.query(`
    CREATE TEMPORARY TABLE users_before (
      id varchar(255) COLLATE "C" PRIMARY KEY,
      type user_type NOT NULL,
      fields jsonb
    ) ON COMMIT DROP`);
  await manager.query(`
    INSERT INTO users_before (id, type, fields)
    SELECT users.id, ${USER_STATE} FROM affected_users JOIN users USING (id) ORDER BY id`);
  await manager.query('ANALYZE users_before');
}

/**
 * Tells the journal what has changed since `rememberRecords`, {@link rememberUsers} and `lockAffected`: nothing if the
 * directory already was as the file says. Called last of all, because it locks a chain of the journal.
 */
export async function appendChanges(manager: EntityManager, act: Act): Promise<void> {
  await manager.query(`
    CREATE TEMPORARY TABLE import_entries (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      entry journal_new_entry NOT NULL
    ) ON COMMIT DROP`);
  for (const changes of [...RECORD_CHANGES, USER_CHANGES]) {
    await manager.query(`INSERT INTO import_entries (entry) ${changes}`);
  }
  await appendEntries(manager, act);
}

async function appendEntries(manager: EntityManager, act: Act): Promise<void> {
  const parameters = recordableAct(act);
  for (let last: string | null = '0'; last !== null;) {
    const [chunk]: { last: string | null }[] = await manager.query(
      `WITH next AS (
         SELECT number, entry, sum(pg_column_size(entry)) OVER (ORDER BY number) - pg_column_size(entry) AS bytes_before
         FROM (SELECT * FROM import_entries WHERE number > $6 ORDER BY number LIMIT ${CHUNK_ENTRIES}) AS next
       ), chunk AS MATERIALIZED (SELECT number, entry FROM next WHERE bytes_before < ${CHUNK_BYTES})
       SELECT max(number) AS last,
         cardinality(journal_append($1, $2, $3, $4, $5, array_agg(entry ORDER BY number))) AS appended
       FROM chunk`,
      [...parameters, last],
    );
    last = chunk?.last ?? null;
  }
}

/** Of two lists, neither of which has anything twice, what stands in one of them alone. */
const differing = (list: string): string => `
  SELECT place FROM jsonb_array_elements_text(coalesce(before.fields -> '${list}', '[]') || (now.fields -> '${list}')) AS place
  GROUP BY place HAVING count(*) = 1`;

/** For each user what was imported, and then what others wait to hear of: a new status of who was there, and the type that followed. */
const USER_CHANGES = `
  WITH now AS MATERIALIZED (SELECT users.id, ${USER_STATE} FROM affected_users JOIN users USING (id))
  SELECT told.entry
  FROM now LEFT JOIN users_before AS before USING (id)
  CROSS JOIN LATERAL (
    SELECT jsonb_object_agg(key, before.fields -> key) AS before, jsonb_object_agg(key, value) AS after
    FROM jsonb_each(now.fields) WHERE value IS DISTINCT FROM before.fields -> key
  ) AS changed
  CROSS JOIN LATERAL (
    SELECT 0 AS step, ${entry(
      'user.imported',
      'id',
      `CASE WHEN changed.after ?| ARRAY['workspaces', 'groups'] THEN ARRAY(
         ${differing('workspaces')} UNION SELECT workspace_id FROM groups WHERE id IN (${differing('groups')}) ORDER BY 1
       ) END`,
      'CASE WHEN before.id IS NOT NULL THEN changed.before END',
      'changed.after',
    )} AS entry
    WHERE changed.after IS NOT NULL
    UNION ALL
    SELECT 1, ${entry(
      'user.status.changed',
      'id',
      'NULL',
      `jsonb_build_object('status', changed.before -> 'status')`,
      `jsonb_build_object('status', changed.after -> 'status')`,
    )}
    WHERE before.id IS NOT NULL AND changed.after ? 'status'
    UNION ALL
    SELECT 2, ${entry(
      'user.type.changed',
      'id',
      'NULL',
      `jsonb_build_object('type', coalesce(before.type, 'guest'))`,
      `jsonb_build_object('type', now.type)`,
    )}
    WHERE now.type <> coalesce(before.type, 'guest')
  ) AS told
  ORDER BY id, step`;
