import type { DataSource } from 'typeorm';

interface Table {
  name: string;
  /** Those that can be written: a generated column cannot. */
  columns: string;
}

/** A copy of all rows of a test's database, to begin again without another service. */
export class SavedDatabase {
  private constructor(
    private readonly dataSource: DataSource,
    private readonly tables: readonly Table[],
  ) {}

  static async save(dataSource: DataSource): Promise<SavedDatabase> {
    const tables: Table[] = await dataSource.query(`
      SELECT quote_ident(relname) AS name, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
      GROUP BY relname`);
    const copies = tables.map(
      ({ name, columns }) => `CREATE TABLE saved_rows.${name} AS SELECT ${columns} FROM ${name}`,
    );
    await dataSource.query(['CREATE SCHEMA saved_rows', ...copies].join(';'));
    return new SavedDatabase(dataSource, tables);
  }

  /** All or nothing, because several statements in one message are one transaction. No trigger and no foreign key acts. */
  async restore(): Promise<void> {
    const rows = this.tables.map(
      ({ name, columns }) =>
        `DELETE FROM ${name}; INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE TABLE saved_rows.${name}`,
    );
    await this.dataSource.query(['SET LOCAL session_replication_role = replica', ...rows].join(';'));
  }
}
