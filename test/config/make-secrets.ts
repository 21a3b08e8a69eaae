import { readSync, writeSync } from 'node:fs';
import { generatedSecret } from '../../src/config/generated-secret';

/** A process that reports when it is ready and, on a signal, generates the secret in each given folder. */
writeSync(1, 'awake\n');
readSync(0, Buffer.alloc(1));
writeSync(1, JSON.stringify(process.argv.slice(2).map((folder) => generatedSecret(folder, 'jwt-secret'))));
