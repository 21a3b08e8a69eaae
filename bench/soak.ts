import { closedLoop } from './closed-loop';
import type { Contestant } from './contestant';
import type { Workload } from './workload';

const WARM_UP_SHARE = 0.2;
const MEASUREMENTS = 5;

/** Loads a contestant for minutes, and reports its memory and handles after the warm-up and then periodically. */
export async function soak(contestant: Contestant, workload: Workload, minutes: number): Promise<string> {
  const seconds = minutes * 60;
  const lines = ['| seconds | heap MB | resident MB | handles | errors |', '| --- | --- | --- | --- | --- |'];
  let errors = 0;
  for (let measurement = 0; measurement <= MEASUREMENTS; measurement++) {
    const share = measurement === 0 ? WARM_UP_SHARE : (1 - WARM_UP_SHARE) / MEASUREMENTS;
    errors += (await closedLoop(contestant.port, { ...workload, seconds: seconds * share })).errors;
    const { heapUsed, rss, handles } = await contestant.probe('collect');
    const at = Math.round(seconds * (WARM_UP_SHARE + ((1 - WARM_UP_SHARE) * measurement) / MEASUREMENTS));
    lines.push(`| ${at} | ${megabytes(heapUsed)} | ${megabytes(rss)} | ${handles} | ${errors} |`);
  }
  return [`Memory in ${minutes} minutes of ${workload.title}:`, '', ...lines, ''].join('\n');
}

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
