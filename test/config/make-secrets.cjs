const { readSync, writeSync } = require('node:fs');
const { generatedSecret } = require('../../dist/config/generated-secret.js');

/** A process that reports when it is ready and, on a signal, generates the secret in each given folder. */
writeSync(1, 'awake\n');
readSync(0, Buffer.alloc(1));
writeSync(1, JSON.stringify(process.argv.slice(2).map((folder) => generatedSecret(folder, 'jwt-secret'))));
