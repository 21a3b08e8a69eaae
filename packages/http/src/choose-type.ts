import { elementsOf } from './header-elements';

/** RFC 9110 section 12.4.2. Java's own client leaves out the zero: `q=.2`. */
const WEIGHT = /^(?:0|0?\.\d{1,3}|0\.|1(?:\.0{0,3})?)$/;

interface MediaRange {
  range: string;
  weight: number;
}

/**
 * The media type that a caller prefers, by the weights of `Accept` (RFC 9110 section 12.5.1). The first in `types` wins
 * a tie. Of several ranges that match a type, the most specific counts. A range has no parameter but `q` that has an
 * effect. Without the header, or if it is empty, every type is acceptable.
 *
 * @returns undefined if none is acceptable
 * @example chooseType('text/csv, application/*;q=0.5', ['application/x-ndjson', 'text/csv']); // 'text/csv'
 */
export function chooseType<Type extends string>(accept: string | undefined, types: readonly Type[]): Type | undefined {
  const ranges = accept?.trim() ? elementsOf(accept).flatMap(toRange) : [{ range: '*/*', weight: 1 }];
  let best: { type: Type; weight: number } | undefined;
  for (const type of types) {
    const weight = weightOf(type, ranges);
    if (weight > (best?.weight ?? 0)) best = { type, weight };
  }
  return best?.type;
}

function weightOf(type: string, ranges: readonly MediaRange[]): number {
  for (const range of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const matching = ranges.filter((element) => element.range === range);
    if (matching.length > 0) return Math.max(...matching.map(({ weight }) => weight));
  }
  return 0;
}

/** An element that is malformed counts for nothing. */
function toRange(element: string): MediaRange[] {
  const [range = '', ...parameters] = element.split(';').map((part) => part.trim());
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const weight = given?.replace(/^q\s*=\s*/, '') ?? '1';
  return range && WEIGHT.test(weight) ? [{ range, weight: Number(weight) }] : [];
}
