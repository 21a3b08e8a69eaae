import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, PROMISES_FILE, promisesOf, readPromises } from './promises';
import { EXCEPTIONS } from './promises.exceptions';

/** Adds to `promises.txt` what `openapi.json` newly promises. What it promises no longer stays there, and the test refuses it. */
const now = promisesOf(JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')));
const { next } = compare(existsSync(PROMISES_FILE) ? readPromises() : [], now, EXCEPTIONS);
writeFileSync(PROMISES_FILE, `${next.join('\n')}\n`);
