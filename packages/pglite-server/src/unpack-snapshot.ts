import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';

/** A tar file is made of blocks of this size. */
const BLOCK = 512;
/** The header fields of POSIX.1-1988 (ustar). */
const FIELDS = { name: [0, 100], size: [124, 136], type: [156, 157], prefix: [345, 500] } as const;
const FOLDER = '5';

/** Writes the files of a snapshot (a tar file) into an existing folder. */
export async function unpackSnapshot(tar: Buffer, folder: string): Promise<void> {
  for (let at = 0; at + BLOCK <= tar.length;) {
    const header = tar.subarray(at, at + BLOCK);
    if (header[0] === 0) return;
    const size = parseInt(textOf(header, 'size'), 8);
    const path = pathIn(folder, join(textOf(header, 'prefix'), textOf(header, 'name')));
    if (textOf(header, 'type') === FOLDER) {
      await mkdir(path, { recursive: true, mode: 0o700 });
    } else {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(path, tar.subarray(at + BLOCK, at + BLOCK + size), { mode: 0o600 });
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

function textOf(header: Buffer, field: keyof typeof FIELDS): string {
  const [text = ''] = header.toString('utf8', ...FIELDS[field]).split('\0');
  return text.trim();
}

function pathIn(folder: string, name: string): string {
  const path = normalize(join(folder, name));
  if (path !== normalize(folder) && !path.startsWith(normalize(folder) + sep)) {
    throw new Error(`The snapshot names a file outside of its folder: ${name}`);
  }
  return path;
}
