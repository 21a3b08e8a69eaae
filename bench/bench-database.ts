import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A database on the measured server, dropped at the end unless it is kept. */
export class BenchDatabase {
  private constructor(
    private readonly server: string,
    private readonly name: string,
    private readonly isKept = false,
  ) {}

  /** The database of this name, which is made if it is missing, and never dropped. */
  static async kept(
    server: string,
    name: string,
    create: (server: string) => Promise<BenchDatabase>,
  ): Promise<BenchDatabase> {
    const [found] = await query(server, `SELECT FROM pg_database WHERE datname = '${name}'`);
    if (!found) {
      const { name: made } = await create(server);
      await query(server, `ALTER DATABASE ${made} RENAME TO ${name}`);
    }
    return new BenchDatabase(server, name, true);
  }

  /** @param fill makes the tables and their rows; the database has fresh statistics afterwards */
  static async create(server: string, fill: (database: BenchDatabase) => Promise<void>): Promise<BenchDatabase> {
    const name = `bench_${randomBytes(6).toString('hex')}`;
    await query(server, `CREATE DATABASE ${name}`);
    const database = new BenchDatabase(server, name);
    try {
      await fill(database);
      await database.execute(['VACUUM ANALYZE', 'CHECKPOINT']);
      return database;
    } catch (error) {
      await database.drop();
      throw error;
    }
  }

  get url(): string {
    const url = new URL(this.server);
    url.pathname = `/${this.name}`;
    return url.href;
  }

  async execute(statements: readonly string[]): Promise<void> {
    await query(this.url, ...statements);
  }

  async drop(): Promise<void> {
    if (!this.isKept) await query(this.server, `DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`);
  }
}

/** @returns the rows of the last statement */
async function query(url: string, ...statements: readonly string[]): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}
