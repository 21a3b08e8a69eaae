import { Presets, SingleBar } from 'cli-progress';
import type { ImportReport } from './import-progress';

/** Shows the progress of an import on standard error, if it is a terminal. */
export class ProgressBar {
  private readonly bar: SingleBar | undefined;
  private lines = 0;
  private bytes = 0;

  constructor(private readonly totalBytes: number | undefined) {
    if (!process.stderr.isTTY) return;
    const format = '{phase} {bar} {percentage}% | {lines} lines | {duration_formatted}';
    this.bar = new SingleBar({ format, stream: process.stderr }, Presets.shades_classic);
    this.bar.start(totalBytes ?? 0, 0, { phase: 'Reading', lines: 0 });
  }

  /** Passes bytes on, and counts them. */
  async *watch(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      yield chunk;
      this.bytes += chunk.length;
      this.show('Reading', this.bytes, this.totalBytes);
    }
  }

  report({ phase, done, total }: ImportReport): void {
    if (phase === 'Reading') this.lines = done;
    if (phase === 'Reading') this.show(phase, this.bytes, this.totalBytes);
    else this.show(phase, done, total);
  }

  /** Leaves the last state on the screen. May be called more than once. */
  stop(): void {
    if (this.bar?.isActive) this.bar.stop();
  }

  /** If the size of the input is unknown, the bar is empty until all of it has been read. */
  private show(phase: string, done: number, total: number | undefined): void {
    this.bar?.setTotal(total ?? done + 1);
    this.bar?.update(total === undefined ? 0 : done, { phase, lines: this.lines.toLocaleString('en') });
  }
}
