#!/usr/bin/env node
import 'reflect-metadata';
import { runProgram } from './program';

// A reader such as `head` may close the pipe early. The remaining output is dropped, and the command continues to its
// end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

void runProgram(process.argv).then((exitCode) => {
  process.exitCode = exitCode;
});
