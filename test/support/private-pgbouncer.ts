import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually';
import { freePort } from './free-port';
import { own, ownFolder, pathOf, run } from './postgres-tools';
import { clientOf, untilConnected } from './until-connected';

/** A PgBouncer of one's own, in transaction mode. It ends with the script. */
export class PrivatePgbouncer {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly poolSize: number,
    private readonly preparedStatements: number,
  ) {
    process.on('exit', () => this.remove());
  }

  /**
   * @param server the port of the server that it leads to
   * @param preparedStatements how many it keeps for each client, if its version can
   */
  static async start(server: number, poolSize: number, preparedStatements = 200): Promise<PrivatePgbouncer> {
    const folder = ownFolder('faults-pgbouncer-');
    const pgbouncer = new PrivatePgbouncer(await freePort(), folder, poolSize, preparedStatements);
    try {
      pgbouncer.configure(server);
      await pgbouncer.start();
      return pgbouncer;
    } catch (error) {
      pgbouncer.remove();
      throw error;
    }
  }

  /** The address of a database behind it, or of its own console, which is a database called `pgbouncer`. */
  url(database = 'postgres', user = 'postgres'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  /** Whether prepared statements are kept for each client, as from 1.21 on. */
  static keepsPreparedStatements(): boolean {
    const text = execFileSync(pathOf('pgbouncer') ?? 'pgbouncer', ['--version'], { encoding: 'utf8' });
    const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
    return Number(major) > 1 || Number(minor) >= 21;
  }

  async start(): Promise<void> {
    const log = openSync(join(this.folder, 'log'), 'a');
    const child = run('pgbouncer', [join(this.folder, 'pgbouncer.ini')], this.folder, log);
    closeSync(log);
    this.child = child;
    await untilConnected(child, this.url('pgbouncer'), join(this.folder, 'log'));
  }

  /** Clients stay connected, and their next transactions lead to another server. */
  async leadTo(server: number): Promise<void> {
    this.configure(server);
    await this.command('RELOAD', 'RECONNECT');
  }

  /**
   * Ends the connections to the server, each after its transaction, and waits for their ends. Clients stay connected. A login
   * that this ends counts as a failure, after which PgBouncer refuses the database for a while, so the next statement is awaited.
   */
  async endServerConnections(database: string): Promise<void> {
    await this.command('RECONNECT', 'WAIT_CLOSE');
    await eventually(() => query(this.url(database), ['SELECT']));
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  remove(): void {
    this.child?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private command(...commands: string[]): Promise<void> {
    return query(this.url('pgbouncer'), commands);
  }

  private configure(server: number): void {
    const users = join(this.folder, 'users.txt');
    writeFileSync(users, ['postgres', 'service'].map((user) => `"${user}" ""\n`).join(''));
    const file = join(this.folder, 'pgbouncer.ini');
    writeFileSync(
      file,
      `[databases]
* = host=127.0.0.1 port=${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${this.port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
admin_users = postgres
pool_mode = transaction
default_pool_size = ${this.poolSize}
max_client_conn = 500
server_login_retry = 1
${PrivatePgbouncer.keepsPreparedStatements() ? `max_prepared_statements = ${this.preparedStatements}` : ''}
`,
    );
    own(users);
    own(file);
  }
}

async function query(url: string, statements: string[]): Promise<void> {
  const client = clientOf(url);
  // It can also break before the answer, which the statement reports.
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
