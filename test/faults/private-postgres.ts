import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, openSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port';

const DEBIAN_TOOLS = '/usr/lib/postgresql';

/** A PostgreSQL of one's own, to do to it what a fault does. It ends with the script, and nothing of it stays. */
export class PrivatePostgres {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async create(): Promise<PrivatePostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'faults-postgres-'));
    const { uid, gid } = owner();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    const postgres = new PrivatePostgres(folder, await freePort());
    await postgres.tool(
      'initdb',
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--no-sync',
      '--pgdata',
      postgres.data,
    );
    process.on('exit', () => postgres.remove());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
    return postgres;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /**
   * Returns when it takes connections. It is a child of this process, which so hears of its end: another server refuses the
   * folder of one that has ended, but that nobody has taken note of.
   */
  async start(): Promise<void> {
    // Processes die here, and never the machine: nothing need wait for the disk.
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'fsync=off'];
    const options = ['-D', this.data, '-p', String(this.port), ...settings.flatMap((setting) => ['-c', setting])];
    const log = openSync(join(this.folder, 'log'), 'a');
    const server = this.run('postgres', options, log);
    closeSync(log);
    let ended = false;
    server.once('exit', () => (ended = true));
    while (!(await this.answers())) {
      if (ended) throw new Error(readFileSync(join(this.folder, 'log'), 'utf8').slice(-2_000));
      await delay(10);
    }
  }

  /** As an operator does: it ends every session and shuts down. */
  async stop(): Promise<void> {
    await this.tool('pg_ctl', 'stop', '--wait', '--silent', '--mode=fast', '--pgdata', this.data);
  }

  /** Every one of its processes, at once. */
  kill(): void {
    for (const pid of this.processes()) send(pid, 'SIGKILL');
  }

  /** Stops every process where it stands: connections stay open, and nobody answers. */
  freeze(): void {
    for (const pid of this.processes()) send(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.processes()) send(pid, 'SIGCONT');
  }

  /** Makes a database, and returns its address. */
  async database(name: string): Promise<string> {
    const client = new Client(this.url);
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return this.url.replace(/postgres$/, name);
  }

  private get data(): string {
    return join(this.folder, 'data');
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

  private remove(): void {
    try {
      this.thaw();
      this.kill();
    } catch {
      // It is not running.
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  private async answers(): Promise<boolean> {
    const client = new Client(this.url);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  }

  private async tool(name: string, ...args: string[]): Promise<void> {
    const [code] = (await once(this.run(name, args, 'ignore'), 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${name} failed`);
  }

  private run(name: string, args: string[], output: number | 'ignore'): ChildProcess {
    return spawn(pathOf(name), args, { cwd: this.folder, stdio: ['ignore', output, output], ...owner() });
  }
}

/** PostgreSQL refuses to run as root. */
function owner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Debian keeps the tools of a server out of PATH. */
function pathOf(tool: string): string {
  const version = readdirSync(DEBIAN_TOOLS).sort((one, other) => Number(other) - Number(one))[0] ?? '';
  const path = join(DEBIAN_TOOLS, version, 'bin', tool);
  statSync(path);
  return path;
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
