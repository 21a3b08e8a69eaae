import { readFile } from 'node:fs/promises';

/** An empty database, if the preparations of the run have made one. It saves each new folder some seconds. */
export async function emptySnapshot(): Promise<Buffer | undefined> {
  const { TEST_DATABASE_SNAPSHOT: file } = process.env;
  return file ? readFile(file) : undefined;
}
