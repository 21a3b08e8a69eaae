import { writeSync } from 'node:fs';

/** Lines that cannot be written wait up to this size. Further ones are dropped. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const RETRY_MS = 100;

/** This look at `process.stdout` makes a pipe non-blocking. A worker thread has no `fd`. */
const { fd = 1 }: { fd?: number } = process.stdout;

let waiting: Buffer[] = [];
let size = 0;
let retry: NodeJS.Timeout | undefined;

/**
 * Standard output, for the log: it never ends the service nor holds it up, not even if the disk is full or nobody reads.
 *
 * pino's own destination emits an error that ends the process if the disk is full, and both it and `process.stdout` keep any
 * number of lines for a reader that has stopped. At the end of the process, pino's tries for ever to write what is left.
 */
export const standardOutput = {
  write(line: string): void {
    const bytes = Buffer.from(line);
    if (size + bytes.length > MAX_WAITING_BYTES) return;
    waiting.push(bytes);
    size += bytes.length;
    // While lines wait, only the timer tries: a try for each would cost more the more wait.
    if (!retry) flush();
  },
};

function flush(): void {
  retry = undefined;
  try {
    while (size > 0) {
      const bytes = waiting.length === 1 ? (waiting[0] as Buffer) : Buffer.concat(waiting);
      const written = writeSync(fd, bytes);
      waiting = [bytes.subarray(written)];
      size -= written;
    }
    waiting = [];
  } catch {
    retry = setTimeout(flush, RETRY_MS).unref();
  }
}
