import { isDeepStrictEqual, styleText } from 'node:util';

const INDENT = '   ';
const { stdout } = process;
const styled = (style, text) => (stdout.isTTY && stdout.hasColors() ? styleText(style, text) : text);
const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

function write(style, lines) {
  for (const line of lines) stdout.write(`${INDENT}${style ? styled(style, line) : line}\n`);
}

/** Writes the transcript, and collects failed claims. */
export class Transcript {
  /** The failed claims. */
  differences = [];
  #steps = 0;
  #checks = 0;

  /** @param signal ends the story before its next step */
  constructor(signal) {
    this.signal = signal;
  }

  title(text) {
    stdout.write(`${styled('bold', text)}\n`);
  }

  step(sentence) {
    this.signal.throwIfAborted();
    this.#steps += 1;
    stdout.write(`\n${styled('bold', `${this.#steps}. ${sentence}`)}\n`);
  }

  /** Lines that explain. */
  say(...lines) {
    write('dim', lines);
  }

  /** A command that a reader could type. */
  request(...lines) {
    write('cyan', lines);
  }

  /** Its output. */
  answer(...lines) {
    write(undefined, lines);
  }

  /** A claim that two values are equal. */
  check(claim, actual, expected) {
    this.#checks += 1;
    if (isDeepStrictEqual(actual, expected)) {
      write('green', [`✓ ${claim}`]);
      return;
    }
    this.differences.push(claim);
    write('red', [`✗ ${claim}`, `  expected ${shown(expected)}`, `  but got  ${shown(actual)}`]);
  }

  /** The verdict. */
  end() {
    const failed = this.differences.length;
    if (failed === 0) {
      const held = `✓ All ${this.#steps} steps did as they should (${this.#checks} checks).`;
      stdout.write(`\n${styled('green', held)}\n`);
      this.say('Your turn: npm start gives you this directory, a page to try it on, and a token.');
      return;
    }
    stdout.write(`\n${styled('red', `✗ ${failed} of ${this.#checks} checks differed:`)}\n`);
    write(undefined, this.differences);
  }
}
