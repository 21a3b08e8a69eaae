import { statSync } from 'node:fs';

/** Whether something is there that is no folder. What is missing can still be made. */
export function isNoFolder(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}
