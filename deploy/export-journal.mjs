// Appends each entry of the journal once, as a line of JSON, to the file of the day on which it arrives.
// docs/watch.md says how to run it.
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const { USER_ADMINISTRATION_URL, TOKEN_FILE, STATE_DIRECTORY } = process.env;
const AGAIN_MS = 5_000;
const POINT = join(STATE_DIRECTORY, 'point.json');

let point = existsSync(POINT) ? JSON.parse(readFileSync(POINT, 'utf8')) : { next: 'start', file: '', size: 0 };

async function read() {
  const authorization = `Bearer ${readFileSync(TOKEN_FILE, 'utf8').trim()}`;
  const url = `${USER_ADMINISTRATION_URL}/api/journal?after=${point.next}&wait=25`;
  const response = await fetch(url, { headers: { authorization }, signal: AbortSignal.timeout(60_000) });
  const body = await response.json();
  if (response.ok) return body;
  const error = new Error(`${response.status} ${body.message}`);
  // The journal no longer has what would be next: somebody must decide how to go on.
  error.isFinal = response.status === 400 || response.status === 410;
  throw error;
}

/** What a crash left behind the last point is written over. */
function append({ entries, next }) {
  const today = `${new Date().toISOString().slice(0, 10)}.ndjson`;
  const file = today > point.file ? today : point.file;
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  const written = file === point.file ? point.size : 0;
  const descriptor = openSync(join(STATE_DIRECTORY, file), constants.O_WRONLY | constants.O_CREAT, 0o600);
  ftruncateSync(descriptor, written);
  const size = written + writeSync(descriptor, text, written);
  fsyncSync(descriptor);
  closeSync(descriptor);
  point = { next, file, size };
  writeFileSync(`${POINT}.new`, JSON.stringify(point), { flush: true });
  renameSync(`${POINT}.new`, POINT);
}

for (;;) {
  try {
    append(await read());
  } catch (error) {
    if (error.isFinal) throw error;
    console.error(error.cause?.message ?? error.message);
    await delay(AGAIN_MS);
  }
}
