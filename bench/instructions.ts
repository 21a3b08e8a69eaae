import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ownFolder, owner, pathOf } from '../test/support/postgres-tools';

const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'shared_buffers=256MB'];
/** It is called before the last checkpoint, whose work depends on what all statements have written. */
const END = 'ShutdownXLOG';

/**
 * How many instructions PostgreSQL executes for statements, from its start to their end, in single-user mode under callgrind. Other
 * work on the machine does not change it. It needs `valgrind`, and names of functions in the server's program.
 *
 * @param data the data of a server that is stopped
 * @param statements each on one line
 */
export async function instructionsOf(data: string, database: string, statements: readonly string[]): Promise<number> {
  const folder = ownFolder('bench-instructions-');
  const counts = join(folder, 'counts');
  try {
    const counter = ['--tool=callgrind', `--callgrind-out-file=${counts}`, `--dump-before=${END}`];
    const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
    const server = [pathOf('postgres') ?? 'postgres', '--single', '-D', data, ...settings, database];
    const child = spawn(pathOf('valgrind') ?? 'valgrind', [...counter, ...server], { cwd: folder, ...owner() });
    child.stdin.end(statements.map((statement) => `${statement}\n`).join(''));
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    if (/^(.* )?(ERROR|FATAL|PANIC):/m.test(errors)) throw new Error(errors);
    const count = /^(?:summary|totals): (\d+)$/m.exec(readFileSync(`${counts}.1`, 'utf8'))?.[1];
    if (count === undefined) throw new Error(`valgrind counted nothing: ${errors}${output}`);
    return Number(count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
