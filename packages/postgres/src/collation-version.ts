import type { DataSource } from 'typeorm';

/** The first major version of PostgreSQL that records the version of a database's collation. */
const RECORDED_SINCE = 150_000;

/**
 * Says so if the order of text of the database is another one than when it was made, as after an upgrade of the
 * operating system.
 */
export async function collationWarning(dataSource: DataSource): Promise<string | undefined> {
  const [{ version }]: [{ version: number }] = await dataSource.query(
    `SELECT current_setting('server_version_num')::integer AS version`,
  );
  if (version < RECORDED_SINCE) return undefined;
  const [changed]: { recorded: string; actual: string }[] = await dataSource.query(`
    SELECT datcollversion AS recorded, pg_database_collation_actual_version(oid) AS actual FROM pg_database
    WHERE datname = current_database() AND datcollversion <> pg_database_collation_actual_version(oid)`);
  return (
    changed &&
    'The order of text of this database has changed, as after an upgrade of the operating system (collation ' +
      `version ${changed.recorded}, ` +
      `now ${changed.actual}). The service orders text by bytes. docs/recover.md says what to do ("After an ` +
      'upgrade of the operating system").'
  );
}
