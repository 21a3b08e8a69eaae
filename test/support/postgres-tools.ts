import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const DEBIAN_TOOLS = '/usr/lib/postgresql';

/** The user who runs PostgreSQL and PgBouncer, which refuse to run as root. */
export function owner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** A new folder of that user. */
export function ownFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  own(folder);
  return folder;
}

export function own(path: string): void {
  const { uid, gid } = owner();
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** Debian keeps the tools of a server out of PATH. */
export function pathOf(tool: string): string | undefined {
  const versions = existsSync(DEBIAN_TOOLS) ? readdirSync(DEBIAN_TOOLS) : [];
  const folders = [
    ...versions.sort((one, other) => Number(other) - Number(one)).map((version) => join(DEBIAN_TOOLS, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
  ];
  return folders.map((folder) => join(folder, tool)).find((path) => existsSync(path));
}

export function run(tool: string, args: string[], cwd: string, output: number | 'ignore'): ChildProcess {
  const path = pathOf(tool);
  if (path === undefined) throw new Error(`${tool} is not installed`);
  return spawn(path, args, { cwd, stdio: ['ignore', output, output], ...owner() });
}

/** Runs a tool to its end. */
export async function finish(tool: string, args: string[], cwd: string): Promise<void> {
  const [code] = (await once(run(tool, args, cwd, 'ignore'), 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${tool} failed`);
}
