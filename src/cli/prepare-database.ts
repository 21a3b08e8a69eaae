import 'reflect-metadata';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { makeSnapshots, preparedFile } from '../database/snapshots';

/** Part of the build: creates the snapshot for new embedded databases, and removes older ones. */
async function main(): Promise<void> {
  const file = preparedFile();
  const { migrated } = await makeSnapshots();
  await rm(dirname(file), { recursive: true, force: true });
  await mkdir(dirname(file), { recursive: true });
  // The file gets its final name only when it is complete.
  await writeFile(`${file}.new`, await promisify(gzip)(migrated));
  await rename(`${file}.new`, file);
}

void main();
