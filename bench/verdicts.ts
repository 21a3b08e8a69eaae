import type { Sample, Samples } from './measure';
import { ratios, type Spread, spread } from './statistics';

/** A bound of the service in a workload: a figure of its samples, and the limit. */
export interface Target {
  what: string;
  of(samples: Samples): Spread;
  atMost?: number;
  atLeast?: number;
}

const figures = (samples: Samples, name: string, figure: (sample: Sample) => number): number[] =>
  (samples[name] ?? []).map(figure);

/** The median time of the service divided by that of another contestant, pair by pair. */
export const timeBy = (other: string, atMost: number, service = 'service'): Target => ({
  what: service === 'service' ? `time / ${other}` : `time of ${service} / ${other}`,
  of: (samples) =>
    ratios(
      figures(samples, service, ({ median }) => median),
      figures(samples, other, ({ median }) => median),
    ),
  atMost,
});

/** The throughput divided by that of the usual way. */
export const throughputBy = (other: string, atLeast: number): Target => ({
  what: `throughput / ${other}`,
  of: (samples) => {
    const theirs = figures(samples, other, ({ perSecond }) => perSecond);
    // A contestant with a single measurement is compared with every sample.
    const pairs = figures(samples, 'service', ({ perSecond }) => perSecond);
    return ratios(
      pairs,
      pairs.map((_, index) => theirs[index] ?? theirs[0] ?? NaN),
    );
  },
  atLeast,
});

export const figureOf = (what: string, figure: (sample: Sample) => number, atMost: number): Target => ({
  what,
  of: (samples) => spread(figures(samples, 'service', figure)),
  atMost,
});

export function isMet({ atMost = Infinity, atLeast = -Infinity }: Target, { median }: Spread): boolean {
  return median <= atMost && median >= atLeast;
}
