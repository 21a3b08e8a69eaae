/** The phases of an import, in their order. */
type ImportPhase = 'Reading' | 'Checking' | 'Writing' | 'Saving';

/** The progress of an import in its phase. */
export interface ImportReport {
  phase: ImportPhase;
  /** Lines read, or steps done. */
  done: number;
  /** The total number of steps; unknown while lines are read. */
  total?: number;
}

/** Counts the steps of each phase after reading, for a progress display. */
export class ImportProgress {
  private phase: ImportPhase = 'Checking';
  private done = 0;
  private total = 0;

  constructor(private readonly report: (report: ImportReport) => void = () => undefined) {}

  begin(phase: ImportPhase, total: number): void {
    this.phase = phase;
    this.done = 0;
    this.total = total;
    this.publish();
  }

  step(): void {
    this.done += 1;
    this.publish();
  }

  private publish(): void {
    this.report({ phase: this.phase, done: Math.min(this.done, this.total), total: this.total });
  }
}
