import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { DataDirInUseError, openEmbeddedDatabase } from '../../src/database/embedded/embedded-database';

/**
 * A process to start and to kill: opens the embedded database in the folder that it is given when it reads `open`, and
 * says `held` or `refused by <pid>`. When it reads `write`, it inserts 0, 1, 2 ... for ever, and says each number as
 * soon as the database has acknowledged it.
 */
const [dataDir = ''] = process.argv.slice(2);
let url = '';

async function obey(command: string): Promise<void> {
  if (command === 'open') {
    url = (await openEmbeddedDatabase({ dataDir })).url;
    console.log('held');
  }
  if (command === 'write') {
    const client = new Client(url);
    await client.connect();
    await client.query('CREATE TABLE IF NOT EXISTS numbers (n integer PRIMARY KEY)');
    const { rows } = await client.query<{ next: number }>('SELECT count(*)::integer AS next FROM numbers');
    for (let n = rows[0]!.next; ; n += 1) {
      await client.query('INSERT INTO numbers VALUES ($1)', [n]);
      console.log(String(n));
    }
  }
}

createInterface(process.stdin).on('line', (line) => {
  obey(line).catch((error: unknown) => {
    console.log(error instanceof DataDirInUseError ? `refused by ${error.pid}` : `failed: ${String(error)}`);
  });
});
console.log('ready');
