const { readFile } = require('node:fs/promises');
const { createInterface } = require('node:readline');
const { Client } = require('pg');
// The build, which needs no compiler: a process of the sources takes twice the time.
const { DataDirInUseError, openEmbeddedDatabase } = require('../dist/index.js');

/**
 * A process to start and to kill: opens the embedded database in the folder that it is given when it reads `open`, and
 * says `held` or `refused by <pid>`. When it reads `write`, it inserts 0, 1, 2 ... for ever, and says each number as
 * soon as the database has acknowledged it.
 */
const [dataDir = ''] = process.argv.slice(2);
let url = '';

/** Without it, each new database takes seconds. */
const { TEST_DATABASE_SNAPSHOT: file } = process.env;
const snapshot = async () => (file ? readFile(file) : undefined);

async function obey(command) {
  if (command === 'open') {
    url = (await openEmbeddedDatabase({ dataDir, snapshot })).url;
    console.log('held');
  }
  if (command === 'write') {
    const client = new Client(url);
    await client.connect();
    await client.query('CREATE TABLE IF NOT EXISTS numbers (n integer PRIMARY KEY)');
    const { rows } = await client.query('SELECT count(*)::integer AS next FROM numbers');
    for (let n = rows[0].next; ; n += 1) {
      await client.query('INSERT INTO numbers VALUES ($1)', [n]);
      console.log(String(n));
    }
  }
}

createInterface(process.stdin).on('line', (line) => {
  obey(line).catch((error) => {
    console.log(error instanceof DataDirInUseError ? `refused by ${error.pid}` : `failed: ${String(error)}`);
  });
});
console.log('ready');
