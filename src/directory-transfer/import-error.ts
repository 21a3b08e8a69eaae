/** The first invalid line of an import, and its error. */
export class ImportError extends Error {
  constructor(
    /** Counted from 1, blank lines included, as an editor does. */
    readonly line: number,
    readonly problem: string,
  ) {
    super(`Line ${line}: ${problem}`);
  }
}

const LONGEST_QUOTE = 80;

/** A quoted value from the file, made safe for a terminal and short. */
export function quote(value: string): string {
  const shown = value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value;
  return JSON.stringify(shown).replace(/\p{Cc}/gu, '�');
}
