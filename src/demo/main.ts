import '../supported-node';
import 'reflect-metadata';
import { constants } from 'node:os';
import { DemoCalls } from './demo-calls';
import { startDemoService } from './demo-service';
import { tellStory } from './story';
import { Transcript } from './transcript';

/** @returns the exit code: 0 only if every step succeeded */
async function main(signal: AbortSignal): Promise<number> {
  const coloured = process.stdout.isTTY && process.stdout.hasColors();
  const transcript = new Transcript((text) => process.stdout.write(text), coloured, signal);
  transcript.title('The User Administration Service, in one story');
  const service = await startDemoService();
  try {
    transcript.say(`It runs at ${service.url} with a database of its own, which is gone when the story ends.`);
    await tellStory(service, new DemoCalls(service.url, transcript), transcript);
    transcript.end();
  } finally {
    await service.close();
  }
  return transcript.differences.length === 0 ? 0 : 1;
}

/** Ctrl+C still removes the database, however often it is pressed. */
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => stopping.abort(name));
}
// The reader has closed the pipe (`npm run demo | head`).
process.stdout.on('error', () => stopping.abort('SIGPIPE'));

main(stopping.signal).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const { reason } = stopping.signal as { reason: keyof typeof constants.signals | undefined };
    process.exitCode = reason ? 128 + constants.signals[reason] : 1;
    process.stderr.write(
      `\n${reason ? `Stopped by ${reason}; everything is removed.` : error instanceof Error ? error.stack : String(error)}\n`,
    );
  },
);
