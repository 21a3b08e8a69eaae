import { availableParallelism, cpus, totalmem } from 'node:os';
import type { Sample, Samples } from './measure';
import { ratios, type Spread, spread } from './statistics';
import { isMet, type Target } from './verdicts';

export interface Outcome {
  title: string;
  samples: Samples;
  targets: readonly Target[];
}

/** The tables of `docs/performance.md`, as they are printed. */
export function markdown(outcomes: readonly Outcome[], databaseVersion: string): string {
  return [
    `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB; Node ${process.version}; ${databaseVersion}; ${new Date().toISOString().slice(0, 10)}.`,
    '',
    table(
      ['target', 'asked', 'measured (lowest to highest)', 'met'],
      outcomes.flatMap(({ title, samples, targets }) => targets.map((target) => verdictRow(title, samples, target))),
    ),
    '',
    table(
      [
        'workload',
        'contestant',
        'requests/s',
        'median ms',
        'p99 ms',
        'server CPU ms',
        'client CPU ms',
        'errors',
        'time / bare',
      ],
      outcomes.flatMap(({ title, samples }) =>
        Object.entries(samples).map(([name, own]) => contestantRow(title, name, own, samples)),
      ),
    ),
  ].join('\n');
}

/** One line for each contestant, as soon as a workload is done. */
export function summary({ title, samples, targets }: Outcome): string {
  const contestants = Object.entries(samples).map(([name, own]) => {
    const [, , rate, median, p99, cpu, , errors] = contestantRow(title, name, own, {});
    return `  ${name.padEnd(10)} ${rate}/s, median ${median} ms, p99 ${p99} ms, CPU ${cpu} ms, ${errors} errors`;
  });
  const verdicts = targets.map((target) => {
    const [, asked, measured, met] = verdictRow(title, samples, target);
    return `  ${target.what}: ${measured}, asked ${asked}: ${met}`;
  });
  return [title, ...contestants, ...verdicts, ''].join('\n');
}

function verdictRow(title: string, samples: Samples, target: Target): string[] {
  const measured = target.of(samples);
  const asked = target.atMost === undefined ? `at least ${target.atLeast}` : `at most ${target.atMost}`;
  return [`${title}: ${target.what}`, asked, spreadText(measured), isMet(target, measured) ? 'yes' : '**no**'];
}

function contestantRow(title: string, name: string, own: Sample[], { bare }: Samples): string[] {
  const middle = (figure: (sample: Sample) => number) => spread(own.map(figure)).median;
  return [
    title,
    name,
    digits(middle(({ perSecond }) => perSecond)),
    digits(middle(({ median }) => median)),
    digits(middle(({ p99 }) => p99)),
    digits(middle(({ serverCpu }) => serverCpu)),
    digits(middle(({ clientCpu }) => clientCpu)),
    String(own.reduce((sum, { errors }) => sum + errors, 0)),
    name === 'bare' ? '' : medianBy(own, bare),
  ];
}

function medianBy(own: Sample[], others: Sample[] | undefined): string {
  const medians = (samples: Sample[]) => samples.map(({ median }) => median);
  return others ? spreadText(ratios(medians(own), medians(others))) : '';
}

export function spreadText({ median, low, high }: Spread): string {
  return `${digits(median)} (${digits(low)} to ${digits(high)})`;
}

/** Three digits are as precise as the measurement. */
export function digits(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
