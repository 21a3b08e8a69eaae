#!/usr/bin/env node
import 'reflect-metadata';
import { runProgram } from './program';

void runProgram(process.argv).then((exitCode) => {
  process.exitCode = exitCode;
});
