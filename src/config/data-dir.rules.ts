import { statSync } from 'node:fs';

/** Whether something other than a folder is there. A missing folder can be created. */
export function isNoFolder(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}
