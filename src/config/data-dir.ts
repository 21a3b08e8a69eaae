import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether something other than a folder is there. A missing folder can be created. */
export function isNoFolder(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Makes the data folder and its parents, unless they exist. Node's recursive `mkdir` never returns if the file system
 * answers ENOENT below an existing folder, as `/proc` does.
 */
export function makeDataDir(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent)) makeDataDir(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || isNoFolder(path)) throw error;
  }
}
