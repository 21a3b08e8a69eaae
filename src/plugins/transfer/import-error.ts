import type { ServiceError } from '../door';

/** A bad line, and the first error in it. */
export interface LineProblem {
  /** Counted from 1, blank lines included, as an editor does. */
  line: number;
  problem: string;
}

/** The first bad lines of an import, at most {@link MOST_PROBLEMS}, in their order. */
export class ImportError extends Error {
  constructor(readonly problems: readonly LineProblem[]) {
    super(problems.map(({ line, problem }) => `Line ${line}: ${problem}`).join('.\n'));
  }

  get explanation(): string {
    const { length } = this.problems;
    const more = length === MOST_PROBLEMS ? ` Only the first ${length} bad lines are named.` : '';
    return `${this.message}.${length > 1 ? '\n' : ' '}Nothing was imported.${more}`;
  }
}

export const MOST_PROBLEMS = 100;

/** An import of good lines that would change more than it may, with what a request is answered. */
export class ImportRefused extends Error {
  constructor(
    message: string,
    readonly refusal: ServiceError,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get explanation(): string {
    return `${this.message}. Nothing was imported.`;
  }
}

const LONGEST_QUOTE = 80;

/** A quoted value from the file, short and safe for a terminal, with invisible characters as their codes. */
export function quote(value: string): string {
  const shown = value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value;
  return JSON.stringify(shown)
    .replace(/\p{Cc}/gu, '�')
    .replace(/(?! )[\p{Z}\p{Cf}]/gu, (invisible) => `\\u{${invisible.codePointAt(0)?.toString(16)}}`);
}
