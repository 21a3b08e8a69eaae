import { writeSync } from 'node:fs';

/** Lines that cannot be written wait up to about this size. Further ones are dropped. */
const MAX_WAITING = 4 * 1024 * 1024;
const RETRY_MS = 100;

/** This look at `process.stdout` makes a pipe non-blocking. A worker thread has no `fd`. */
const { fd = 1 }: { fd?: number } = process.stdout;

let lines: string[] = [];
let unwritten: Buffer = Buffer.alloc(0);
let size = 0;
let next: NodeJS.Immediate | NodeJS.Timeout | undefined;

/**
 * Standard output, for the log: it never ends the service nor holds it up, not even if the disk is full or nobody reads. The
 * lines of one turn of the event loop are one write.
 *
 * pino's own destination emits an error that ends the process if the disk is full, and both it and `process.stdout` keep any
 * number of lines for a reader that has stopped. At the end of the process, pino's tries for ever to write what is left.
 */
export const standardOutput = {
  write(line: string): void {
    if (size + line.length > MAX_WAITING) return;
    lines.push(line);
    size += line.length;
    next ??= setImmediate(flush);
  },
};

function flush(): void {
  next = undefined;
  unwritten = Buffer.concat([unwritten, Buffer.from(lines.join(''))]);
  lines = [];
  try {
    while (unwritten.length > 0) unwritten = unwritten.subarray(writeSync(fd, unwritten));
  } catch {
    next = setTimeout(flush, RETRY_MS).unref();
  }
  size = unwritten.length;
}

process.once('exit', flush);
