#!/usr/bin/env node
import 'reflect-metadata';
import { runProgram } from './program';

// Whoever reads has had enough, as `head` has: what else there is to say is not missed, and the work goes on to its end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

void runProgram(process.argv).then((exitCode) => {
  process.exitCode = exitCode;
});
