import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import type { OpenedDatabase } from '@user-administration/postgres';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '@user-administration/pglite-server';
import { withClient } from '../../packages/testing/src/with-client';

/** A database in memory that stays open for the next test file of this process, because emptying it is faster than opening another. */
interface ReusableDatabase {
  database: EmbeddedDatabase;
  /** The fingerprint of the schema when it was opened. */
  fingerprint: string;
}

/** By the snapshot that they were opened from. */
const free = new Map<string, ReusableDatabase[]>();

/**
 * Opens a database in memory from the snapshot in this file, without records. Closing it empties it for the next
 * caller. A database whose schema, roles or settings have changed is discarded.
 */
export async function openEmptied(snapshot: string): Promise<OpenedDatabase> {
  const reusable = free.get(snapshot)?.pop() ?? (await open(snapshot));
  let closing: Promise<void> | undefined;
  return {
    url: reusable.database.url,
    poolSize: 1,
    embedded: true,
    close: () => (closing ??= giveBack(snapshot, reusable)),
  };
}

/** Reads the whole file. The result of `openAsBlob` prevents a process of Node 20 from ending. */
export async function readSnapshot(file: string): Promise<Blob> {
  return new Blob([await readFile(file)]);
}

async function open(snapshot: string): Promise<ReusableDatabase> {
  const database = await openEmbeddedDatabase({ inMemory: true, snapshot: await readSnapshot(snapshot) });
  return { database, fingerprint: await withClient(database.url, readFingerprint) };
}

/** Closes the unused databases. Their timers would keep the process running. */
export async function closeFreeDatabases(): Promise<void> {
  const databases = [...free.values()].flat();
  free.clear();
  await Promise.all(databases.map(({ database }) => database.close()));
}

async function giveBack(snapshot: string, reusable: ReusableDatabase): Promise<void> {
  const { database, fingerprint } = reusable;
  try {
    await database.endConnections();
    const unchanged = await withClient(database.url, async (client) => {
      if ((await readFingerprint(client)) !== fingerprint) return false;
      await removeRecords(client);
      return true;
    });
    if (unchanged) free.set(snapshot, [...(free.get(snapshot) ?? []), reusable]);
    else await database.close();
  } catch {
    // Some tests break their database intentionally.
    await database.close();
  }
}

/** Everything that survives `TRUNCATE`: objects, settings and roles, and the tables that {@link removeRecords} does not empty. */
async function readFingerprint(client: Client): Promise<string> {
  const { rows } = await client.query<{ fingerprint: string }>(`
    SELECT md5(string_agg(part, ',' ORDER BY part)) AS fingerprint FROM (
      SELECT concat_ws(' ', 'column', attrelid, attname, atttypid, attnotnull, xmin) FROM pg_attribute WHERE attrelid >= ${FIRST_OWN_OID}
      UNION ALL SELECT concat_ws(' ', 'function', oid, xmin) FROM pg_proc WHERE oid >= ${FIRST_OWN_OID}
      UNION ALL SELECT concat_ws(' ', 'constraint', oid, xmin) FROM pg_constraint WHERE oid >= ${FIRST_OWN_OID}
      UNION ALL SELECT concat_ws(' ', 'trigger', oid, xmin) FROM pg_trigger
      UNION ALL SELECT concat_ws(' ', 'index', indexrelid, xmin) FROM pg_index WHERE indexrelid >= ${FIRST_OWN_OID}
      UNION ALL SELECT concat_ws(' ', 'relation', oid, relname, relkind, reloptions, relacl) FROM pg_class
        WHERE oid >= ${FIRST_OWN_OID} AND relkind <> 't'
      UNION ALL SELECT concat_ws(' ', 'settings', setdatabase, setrole, setconfig) FROM pg_db_role_setting
      UNION ALL SELECT concat_ws(' ', 'role', oid, xmin) FROM pg_authid
      UNION ALL SELECT concat_ws(' ', 'migration', migrations.*) FROM migrations
      UNION ALL SELECT concat_ws(' ', 'definition', sql_functions.*) FROM sql_functions
      UNION ALL SELECT concat_ws(' ', 'guard', administrator_guard.*) FROM administrator_guard
    ) AS parts (part)`);
  return rows[0]!.fingerprint;
}

/** The lowest object id that PostgreSQL assigns to user objects. */
const FIRST_OWN_OID = 16_384;

async function removeRecords(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
      AND relname NOT IN ('migrations', 'sql_functions', 'administrator_guard', 'journal_pruned', 'journal_seals')`);
  // Triggers protect the journal from deletion, and statistics would change the plans of the next test.
  await client.query(`
    SET session_replication_role = replica;
    SET allow_system_table_mods = on;
    TRUNCATE ${rows.map(({ name }) => name).join(', ')} RESTART IDENTITY;
    DELETE FROM journal_seals WHERE position > 0;
    UPDATE journal_pruned SET position = 0;
    DELETE FROM pg_statistic WHERE starelid >= ${FIRST_OWN_OID}`);
}
