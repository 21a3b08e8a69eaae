import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { connect, type NetConnectOpts } from 'node:net';
import { join } from 'node:path';

/** The name under which clients look for port 5432 in a folder. */
const SOCKET_NAME = '.s.PGSQL.5432';
/** Some operating systems keep only 104 bytes of a socket's path, and truncate it silently. */
const MAX_SOCKET_PATH = 100;
/** An empty claim of this age belongs to a process that died before it listened. */
const UNPUBLISHED_FOR_MS = 60_000;

/** What a claim says about its process. */
export interface Claimant {
  pid: number;
  password: string;
  /** The port; without one, the process listens on the Unix socket in the claim's folder. */
  port?: number;
  /** False until the process knows that it has no rival. */
  holds: boolean;
}

/**
 * A process's claim to a data folder. Each claim has a folder of its own whose name is never reused, so any process can
 * remove a dead claim at any time without removing a newer one.
 */
export class FolderClaim {
  constructor(readonly folder: string) {}

  static async prepare(claimsFolder: string): Promise<FolderClaim> {
    const claim = new FolderClaim(join(claimsFolder, randomBytes(6).toString('hex')));
    await mkdir(claim.folder, { recursive: true, mode: 0o700 });
    return claim;
  }

  static async all(claimsFolder: string): Promise<FolderClaim[]> {
    const names = await readdir(claimsFolder).catch(() => []);
    return names.map((name) => new FolderClaim(join(claimsFolder, name)));
  }

  /** The path of the claim's Unix socket, or undefined if the operating system cannot have one there. */
  get socketPath(): string | undefined {
    const path = join(this.folder, SOCKET_NAME);
    return process.platform === 'win32' || Buffer.byteLength(path) > MAX_SOCKET_PATH ? undefined : path;
  }

  /** Publishes the claim in one step. */
  async publish(claimant: Claimant): Promise<void> {
    await writeFile(join(this.folder, 'claimant.new'), JSON.stringify(claimant), { mode: 0o600 });
    await rename(join(this.folder, 'claimant.new'), join(this.folder, 'claimant.json'));
  }

  async withdraw(): Promise<void> {
    await rm(join(this.folder, 'claimant.json'), { force: true });
  }

  async remove(): Promise<void> {
    await this.withdraw();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The living process behind a published claim. A dead claim is removed. */
  async livingClaimant(): Promise<Claimant | undefined> {
    const text = await readFile(join(this.folder, 'claimant.json'), 'utf8').catch(() => undefined);
    if (text === undefined) {
      const { mtimeMs } = await stat(this.folder).catch(() => ({ mtimeMs: Date.now() }));
      // The clock may have been set forward, and the process may listen and publish its claim at this moment. `rmdir` removes
      // only an empty folder.
      if (Date.now() - mtimeMs > UNPUBLISHED_FOR_MS) await rmdir(this.folder).catch(() => undefined);
      return undefined;
    }
    const claimant = parsed(text);
    if (claimant && (await this.isAlive(claimant))) return claimant;
    await this.remove();
    return undefined;
  }

  /**
   * The kernel stops listening for a process when the process dies, so a reused process id cannot mislead. Only a port
   * can be taken over by another program; then the process id decides as well.
   */
  private async isAlive(claimant: Claimant): Promise<boolean> {
    if (claimant.port !== undefined) {
      return isRunning(claimant.pid) && isListenedTo({ host: '127.0.0.1', port: claimant.port });
    }
    return this.socketPath === undefined ? isRunning(claimant.pid) : isListenedTo({ path: this.socketPath });
  }
}

/** A claim is published in one step, so only a failure of the machine leaves a part of one. Its process is dead, too. */
function parsed(text: string): Claimant | undefined {
  try {
    return JSON.parse(text) as Claimant;
  } catch {
    return undefined;
  }
}

function isListenedTo(address: NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // Any other error, such as too many connections, is a sign of life.
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
