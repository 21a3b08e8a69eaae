import 'reflect-metadata';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { PLUGINS } from '../installed-plugins';
import { makePreparedDatabases, preparedFile } from '../database/prepared-database';

/** Part of the build: creates the snapshot for new embedded databases, and removes older ones. */
async function main(): Promise<void> {
  const file = preparedFile(PLUGINS);
  const { filled } = await makePreparedDatabases(PLUGINS);
  await rm(dirname(file), { recursive: true, force: true });
  await mkdir(dirname(file), { recursive: true });
  // The file gets its final name only when it is complete.
  await writeFile(`${file}.new`, await promisify(gzip)(filled));
  await rename(`${file}.new`, file);
}

void main();
