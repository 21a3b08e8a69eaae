import { Presets, SingleBar } from 'cli-progress';

/** Shows on standard error how far an import has come, when that is a terminal; otherwise it shows nothing. */
export class ImportProgress {
  private readonly bar: SingleBar | undefined;
  private lines = 0;

  /** @param totalBytes the size of the file, if it is known */
  constructor(private readonly totalBytes: number | undefined) {
    if (!process.stderr.isTTY) return;
    const measure = totalBytes === undefined ? '' : ' {bar} {percentage}%';
    this.bar = new SingleBar(
      { format: `{phase}${measure} | {lines} lines | {duration_formatted}`, stream: process.stderr },
      Presets.shades_classic,
    );
  }

  /** Passes bytes through, and counts them. */
  async *watch(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    let bytes = 0;
    this.bar?.start(this.totalBytes ?? 0, 0, { phase: 'Reading', lines: 0 });
    for await (const chunk of chunks) {
      yield chunk;
      bytes += chunk.length;
      this.bar?.update(bytes, { lines: this.lines.toLocaleString('en') });
    }
    this.bar?.update(bytes, { phase: 'Writing' });
  }

  linesRead(lines: number): void {
    this.lines = lines;
    this.bar?.update({ lines: lines.toLocaleString('en') });
  }

  /** Leaves the last state on the screen. May be called more than once. */
  stop(): void {
    if (this.bar?.isActive) this.bar.stop();
  }
}
