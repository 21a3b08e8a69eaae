import { type FileHandle, open, stat } from 'node:fs/promises';

/** @throws Error that says why the file cannot be read */
export async function openToRead(path: string): Promise<FileHandle> {
  try {
    if ((await stat(path)).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    return await open(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`Cannot read ${path}: ${UNREADABLE[code ?? ''] ?? message}.`, { cause: error });
  }
}

const UNREADABLE: Record<string, string | undefined> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  ENAMETOOLONG: 'its name is too long',
};
