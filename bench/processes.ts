import { readFileSync } from 'node:fs';

/** What Linux reports: a clock tick is 10 ms everywhere that Node supports. */
const TICK_MS = 10;

export interface Consumption {
  /** CPU time of the process and its descendants, also of those that have ended. */
  cpuMs: number;
  /** The highest resident memory of one of the living processes. */
  peakMb: number;
}

/** What a process and its descendants have consumed so far. Linux only. */
export function consumption(pid: number): Consumption {
  const processes = family(pid).map((one) => {
    const [, , ...fields] = read(one, 'stat')
      .replace(/^.*\) /s, '- - ')
      .split(' ');
    // utime, stime, cutime and cstime, the 14th to 17th field.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const peakKb = /VmHWM:\s+(\d+)/.exec(read(one, 'status'))?.[1];
    return { cpuMs: ticks * TICK_MS, peakMb: Number(peakKb) / 1024 };
  });
  return {
    cpuMs: processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    peakMb: Math.max(...processes.map(({ peakMb }) => peakMb)),
  };
}

export function childrenOf(pid: number): number[] {
  return read(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

function family(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(family)];
}

function read(pid: number, file: string): string {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8');
}
