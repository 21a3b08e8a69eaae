import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A new database on the measured server, dropped at the end. */
export class BenchDatabase {
  private constructor(
    private readonly server: string,
    private readonly name: string,
    readonly url: string,
  ) {}

  /** @param fill makes the tables and their rows; the database has fresh statistics afterwards */
  static async create(server: string, fill: (database: BenchDatabase) => Promise<void>): Promise<BenchDatabase> {
    const name = `bench_${randomBytes(6).toString('hex')}`;
    const url = new URL(server);
    url.pathname = `/${name}`;
    await execute(server, [`CREATE DATABASE ${name}`]);
    const database = new BenchDatabase(server, name, url.href);
    try {
      await fill(database);
      await database.execute(['VACUUM ANALYZE', 'CHECKPOINT']);
      return database;
    } catch (error) {
      await database.drop();
      throw error;
    }
  }

  execute(statements: readonly string[]): Promise<void> {
    return execute(this.url, statements);
  }

  drop(): Promise<void> {
    return execute(this.server, [`DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`]);
  }
}

async function execute(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
