import { readSync, writeSync } from 'node:fs';
import { generatedSecret } from '../../src/config/generated-secret';

/** A process that says when it is awake, and makes the secret of each folder that it was given once it is told to begin. */
writeSync(1, 'awake\n');
readSync(0, Buffer.alloc(1));
writeSync(1, JSON.stringify(process.argv.slice(2).map((folder) => generatedSecret(folder, 'jwt-secret'))));
