import { readFileSync } from 'node:fs';

/** Milliseconds of CPU time that a process has used, which other work on the machine hardly changes. NaN where Linux does not tell. */
export function cpuTimeOf(processId: number): number {
  try {
    return Number(readFileSync(`/proc/${processId}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return NaN;
  }
}
