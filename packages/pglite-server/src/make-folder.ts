import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and its parents, unless they exist, for this user alone. Node's recursive `mkdir` never returns if the
 * file system answers ENOENT below an existing folder, as `/proc` does.
 */
export async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
