// The service in one story. It is run by `npm run demo`, with the test kit of this repository: the real service on a free
// port, the demo directory, and a database that ends with it.
import { constants } from 'node:os';
import { startUserAdministration } from '../../packages/testing/build/start-user-administration.js';
import { Calls } from './calls.mjs';
import { tellStory } from './story.mjs';
import { Transcript } from './transcript.mjs';

// The kit refuses to run for a service in production, and the demo is none.
process.env.NODE_ENV = 'development';

/** @returns the exit code: 0 only if every step succeeded */
async function main(signal) {
  const transcript = new Transcript(signal);
  transcript.title('The User Administration Service, in one story');
  const service = await startUserAdministration();
  try {
    transcript.say(`It runs at ${service.url} with a database of its own, which is gone when the story ends.`);
    await tellStory(service, new Calls(service.url, transcript), transcript);
    transcript.end();
  } finally {
    await service.close();
  }
  return transcript.differences.length === 0 ? 0 : 1;
}

/** Ctrl+C still removes the database, however often it is pressed. */
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stopping.abort(name));
// The reader has closed the pipe (`npm run demo | head`).
process.stdout.on('error', () => stopping.abort('SIGPIPE'));

main(stopping.signal).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    const { aborted, reason } = stopping.signal;
    process.exitCode = aborted ? 128 + constants.signals[reason] : 1;
    process.stderr.write(`\n${aborted ? `Stopped by ${reason}; everything is removed.` : error.stack}\n`);
  },
);
