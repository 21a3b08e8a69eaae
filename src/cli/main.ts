#!/usr/bin/env node
import '../supported-node';
import 'reflect-metadata';
import { watchOutput } from '../terminal/output';
import { runProgram } from './program';

watchOutput();

void runProgram(process.argv).then((exitCode) => {
  process.exitCode = exitCode;
});
