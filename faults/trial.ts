/** One fault, and what must hold through it. */
export class Trial {
  private failures = 0;

  constructor(private readonly title: string) {
    process.stdout.write(`\n${title}\n`);
  }

  /** Notes whether something holds, with the figure that tells. */
  expect(what: string, holds: boolean, seen: string | number): void {
    if (!holds) this.failures += 1;
    process.stdout.write(`  ${holds ? 'ok    ' : 'FAILED'} ${what}: ${seen}\n`);
  }

  /** Prints the verdict and ends the process by it. */
  finish(): void {
    process.stdout.write(`${this.failures === 0 ? 'HELD' : 'BROKEN'}: ${this.title}\n`);
    process.exit(this.failures === 0 ? 0 : 1);
  }
}

/** How often the fault is done: `--rounds=<n>`, or as the service promises. */
export function rounds(promised: number): number {
  const given = process.argv.map((argument) => /^--rounds=(\d+)$/.exec(argument)?.[1]).find(Boolean);
  return given === undefined ? promised : Number(given);
}
