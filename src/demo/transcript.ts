import { inspect, isDeepStrictEqual } from 'node:util';

type Style = 'bold' | 'dim' | 'green' | 'red' | 'cyan';

const INDENT = '   ';

/** Writes the transcript, and collects failed claims. */
export class Transcript {
  /** The failed claims. */
  readonly differences: string[] = [];
  private steps = 0;
  private checks = 0;

  /**
   * @param write where the text goes
   * @param coloured whether a terminal will show it
   * @param signal ends the story before its next step
   */
  constructor(
    private readonly write: (text: string) => void,
    private readonly coloured: boolean,
    readonly signal: AbortSignal,
  ) {}

  title(text: string): void {
    this.write(`${this.styled('bold', text)}\n`);
  }

  step(sentence: string): void {
    this.signal.throwIfAborted();
    this.steps += 1;
    this.write(`\n${this.styled('bold', `${this.steps}. ${sentence}`)}\n`);
  }

  /** Lines that explain. */
  say(...lines: string[]): void {
    this.lines('dim', lines);
  }

  /** A command that a reader could type. */
  request(...lines: string[]): void {
    this.lines('cyan', lines);
  }

  /** Its output. */
  answer(...lines: string[]): void {
    this.lines(undefined, lines);
  }

  /** A claim that two values are equal. */
  check(claim: string, actual: unknown, expected: unknown): void {
    this.checks += 1;
    if (isDeepStrictEqual(actual, expected)) {
      this.lines('green', [`✓ ${claim}`]);
      return;
    }
    this.differences.push(claim);
    this.lines('red', [`✗ ${claim}`, `  expected ${shown(expected)}`, `  but got  ${shown(actual)}`]);
  }

  /** The verdict. */
  end(): void {
    const held = this.checks - this.differences.length;
    this.write('\n');
    if (this.differences.length === 0) {
      this.write(`${this.styled('green', `✓ All ${this.steps} steps did as they should (${held} checks).`)}\n`);
      this.say('Your turn: npm start gives you this directory, a page to try it on, and a token.');
      return;
    }
    this.write(`${this.styled('red', `✗ ${this.differences.length} of ${this.checks} checks differed:`)}\n`);
    for (const claim of this.differences) this.write(`${INDENT}${claim}\n`);
  }

  private lines(style: Style | undefined, lines: string[]): void {
    for (const line of lines) this.write(`${INDENT}${style ? this.styled(style, line) : line}\n`);
  }

  private styled(style: Style, text: string): string {
    const [on, off] = inspect.colors[style] ?? [];
    return this.coloured ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
