let failure: NodeJS.ErrnoException | undefined;

/** The error that ended standard output, such as a full disk, or a reader that closed the pipe. */
export function outputFailure(): Error | undefined {
  return failure;
}

/**
 * Reports output that cannot be written as a failure, at the end of the process: only then has everything been written.
 * A reader such as `head` may close the pipe early. Then the remaining output is dropped, and nothing has failed.
 */
export function watchOutput(): void {
  process.stdout.on('error', (error) => (failure ??= error));
  // There is no place left for a message.
  process.stderr.on('error', () => {});
  process.once('exit', (exitCode) => {
    if (!failure || failure.code === 'EPIPE' || exitCode !== 0) return;
    process.stderr.write(`user-admin: Cannot write the output: ${failure.message}.\n`);
    process.exitCode = 1;
  });
}
