const { openEmbeddedDatabase } = require('../dist/index.js');

/** Creates an embedded database in the folder that its argument names, and closes it. */
async function main() {
  const database = await openEmbeddedDatabase({ dataDir: process.argv[2] });
  await database.close();
}

void main();
