import { writeSync } from 'node:fs';

/** The characters of lines that wait to be written. Further lines are dropped. */
const MAX_WAITING = 4 * 1024 * 1024;
const RETRY_MS = 100;

/** Reading `process.stdout` makes a pipe non-blocking. In a worker thread, it has no `fd`. */
const { fd = 1 }: { fd?: number } = process.stdout;

let lines: string[] = [];
let unwritten: Buffer = Buffer.alloc(0);
let size = 0;
let next: NodeJS.Immediate | NodeJS.Timeout | undefined;

/**
 * Standard output, for the log. It neither ends nor blocks the service, even if the disk is full or nobody reads. The
 * lines of one iteration of the event loop are one write.
 *
 * If the disk is full, pino's own destination emits an error that ends the process. If a reader has stopped, it and
 * `process.stdout` buffer lines without a limit, and at the end of the process it tries forever to write them.
 */
export const standardOutput = {
  /** Lines since the start of the process. */
  dropped: 0,

  write(line: string): void {
    if (size + line.length > MAX_WAITING) {
      standardOutput.dropped++;
      return;
    }
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
