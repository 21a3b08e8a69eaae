import { Client } from 'pg';
import type { Queryable } from '@user-administration/postgres';

const NAME = 'journal-writer';

/** A process that writes to the journal at its own pace, as far as the database can tell. */
export class JournalWriter {
  private client: Client | undefined;

  constructor(
    private readonly url: string,
    /** Whom its entries are about. */
    readonly user: string,
  ) {}

  /** Writers whose connection the database has not ended. */
  static async count(database: Queryable): Promise<number> {
    const [row] = await database.query<{ count: number }[]>(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = '${NAME}'`,
    );
    return row?.count ?? 0;
  }

  async begin(): Promise<void> {
    const client = new Client({ connectionString: this.url, application_name: NAME });
    // The end of a connection that is killed.
    client.on('error', () => undefined);
    await client.connect();
    await client.query('BEGIN');
    this.client = client;
  }

  /** Appends a change, which others cannot see before {@link commit}. The text tells changes apart. */
  async append(reason: string, actor = 'writers', ofTwo = true): Promise<void> {
    const users = ofTwo ? [this.user, `${this.user}-too`] : [this.user];
    await this.client?.query(
      `SELECT journal_append_changes('system', $3, NULL, $1, NULL, NULL, ARRAY[
         ROW('user.type.changed', $2::text[], NULL, NULL, NULL)::journal_new_change])`,
      [reason, users, actor],
    );
  }

  async commit(): Promise<void> {
    await this.end('COMMIT');
  }

  async rollback(): Promise<void> {
    await this.end('ROLLBACK');
  }

  /** Breaks the connection, as the end of a process does. */
  kill(): void {
    this.client?.connection.stream.destroy();
    this.client = undefined;
  }

  /** Nobody hears whether the transaction was committed. */
  killWhileCommitting(): void {
    this.client?.query('COMMIT').catch(() => undefined);
    const stream = this.client?.connection.stream;
    stream?.end(() => stream.destroy());
    this.client = undefined;
  }

  private async end(statement: string): Promise<void> {
    await this.client?.query(statement);
    await this.client?.end();
    this.client = undefined;
  }
}
