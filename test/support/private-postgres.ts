import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port';
import { finish, own, ownFolder, run } from './postgres-tools';
import { clientOf, untilConnected } from './until-connected';

/** Processes die here, and never the machine: nothing need wait for the disk. */
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'fsync=off'];

/** A PostgreSQL of one's own, to do to it what a fault does. It ends with the script, and nothing of it stays. */
export class PrivatePostgres {
  private isMounted = false;

  private constructor(
    readonly port: number,
    private readonly folder: string,
  ) {
    process.on('exit', () => this.remove());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  }

  static async create(): Promise<PrivatePostgres> {
    const postgres = new PrivatePostgres(await freePort(), ownFolder('faults-postgres-'));
    await postgres.initialize();
    return postgres;
  }

  /** As {@link create}, and started. */
  static async running(): Promise<PrivatePostgres> {
    const postgres = await PrivatePostgres.create();
    await postgres.start();
    return postgres;
  }

  /** One whose data, but not its log of changes, is on a disk of this size; undefined where this user may not mount one. */
  static async onDisk(megabytes: number): Promise<PrivatePostgres | undefined> {
    const postgres = new PrivatePostgres(await freePort(), ownFolder('faults-postgres-'));
    mkdirSync(postgres.data);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', postgres.data], { stdio: 'ignore' });
    } catch {
      return undefined;
    }
    postgres.isMounted = true;
    own(postgres.data);
    await postgres.initialize('--waldir', join(postgres.folder, 'wal'));
    return postgres;
  }

  /** Leaves no room on its disk. */
  fillDisk(): void {
    const file = openSync(this.ballast, 'w');
    const chunk = Buffer.alloc(8_192);
    try {
      for (;;) writeSync(file, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  makeRoom(): void {
    rmSync(this.ballast);
  }

  /** A standby of this server, which must run. It is to be started, too. */
  async standby(port?: number): Promise<PrivatePostgres> {
    const standby = new PrivatePostgres(port ?? (await freePort()), ownFolder('faults-standby-'));
    const source = `host=127.0.0.1 port=${this.port} user=postgres application_name=standby`;
    await standby.tool('pg_basebackup', '--dbname', source, '--write-recovery-conf', '--checkpoint=fast', '--no-sync');
    return standby;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /**
   * Returns when it takes connections. It is a child of this process, which so hears of its end: another server refuses the
   * folder of one that has ended, but that nobody has taken note of.
   */
  async start(): Promise<void> {
    const options = ['-D', this.data, '-p', String(this.port), ...SETTINGS.flatMap((setting) => ['-c', setting])];
    const log = openSync(join(this.folder, 'log'), 'a');
    const server = run('postgres', options, this.folder, log);
    closeSync(log);
    await untilConnected(server, this.url, join(this.folder, 'log'));
  }

  /** As an operator does: it ends every session and shuts down. */
  async stop(): Promise<void> {
    await this.tool('pg_ctl', 'stop', '--wait', '--silent', '--mode=fast');
  }

  /** From now on it encrypts, with a new certificate that it has signed itself. Returns the path of the certificate. */
  async encrypt(): Promise<string> {
    const [key, certificate] = ['key', 'certificate'].map((name) => join(this.folder, `${name}.pem`)) as [
      string,
      string,
    ];
    const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'];
    const names = ['-addext', 'subjectAltName=IP:127.0.0.1'];
    await finish('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate], this.folder);
    await this.execute(
      'ALTER SYSTEM SET ssl = on',
      `ALTER SYSTEM SET ssl_key_file = '${key}'`,
      `ALTER SYSTEM SET ssl_cert_file = '${certificate}'`,
      'SELECT pg_reload_conf()',
    );
    return certificate;
  }

  /** Makes a standby the primary. Returns when it can write. */
  async promote(): Promise<void> {
    await this.tool('pg_ctl', 'promote', '--wait', '--silent');
  }

  /** Makes a primary that is stopped a standby, which follows nobody, and starts it. */
  async demote(): Promise<void> {
    const signal = join(this.data, 'standby.signal');
    writeFileSync(signal, '');
    own(signal);
    await this.start();
  }

  /** Every one of its processes, at once. */
  kill(): void {
    for (const pid of this.processes()) send(pid, 'SIGKILL');
  }

  /** Statements of an administrator, one after the other; the rows of the last one. */
  async execute(...statements: string[]): Promise<Record<string, unknown>[]> {
    const client = clientOf(this.url);
    await client.connect();
    try {
      let rows: Record<string, unknown>[] = [];
      for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
      return rows;
    } finally {
      await client.end();
    }
  }

  /** Makes a database, and returns its address. */
  async database(name: string): Promise<string> {
    await this.execute(`CREATE DATABASE ${name}`);
    return this.url.replace(/postgres$/, name);
  }

  /** Ends it, and removes all of it. */
  remove(): void {
    try {
      this.kill();
    } catch {
      // It is not running.
    }
    if (this.isMounted) execFileSync('umount', ['--lazy', this.data], { stdio: 'ignore' });
    this.isMounted = false;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  get data(): string {
    return join(this.folder, 'data');
  }

  private get ballast(): string {
    return join(this.data, 'ballast');
  }

  private initialize(...options: string[]): Promise<void> {
    return this.tool('initdb', '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync', ...options);
  }

  /**
   * The server first, and then its children: by their parent's number, which is ours to know. The server is stopped where it
   * stands, so that none is born meanwhile.
   */
  private processes(): number[] {
    const server = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    send(server, 'SIGSTOP');
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parentOf(name) === server)
      .map(Number);
    return [server, ...children];
  }

  private tool(name: string, ...args: string[]): Promise<void> {
    return finish(name, [...args, '--pgdata', this.data], this.folder);
  }
}

function parentOf(pid: string): number | undefined {
  try {
    // The name of a process, in parentheses, may hold anything.
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch {
    return undefined;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}
