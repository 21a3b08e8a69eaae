import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = resolve(__dirname, '../..');
const PROGRAM = join(ROOT, 'dist/cli/main.js');

export interface Outcome {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** The tool as a separate process in a new folder, with only the environment of the test. */
export class UserAdmin {
  readonly folder = mkdtempSync(join(tmpdir(), 'user-admin-'));

  /** @param program by default that of the service */
  constructor(
    private readonly environment: Record<string, string> = {},
    private readonly program = PROGRAM,
  ) {}

  /** @param environment variables of this call alone */
  async run(args: string[], input = '', environment: Record<string, string> = {}): Promise<Outcome> {
    const child = this.start(args, environment);
    child.stdin.end(input);
    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { exitCode, stdout, stderr };
  }

  /** A run that writes its standard output to this file. */
  async runInto(file: string, args: string[]): Promise<Omit<Outcome, 'stdout'>> {
    const redirected = [
      '-c',
      'file=$1; shift; exec "$@" > "$file"',
      'sh',
      file,
      process.execPath,
      this.program,
      ...args,
    ];
    const child = spawn('sh', redirected, { cwd: this.folder, env: this.environmentOf() });
    child.stdin.end();
    const [stderr, [exitCode]] = await Promise.all([
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { exitCode, stderr };
  }

  start(args: string[], environment: Record<string, string> = {}) {
    return spawn(process.execPath, [this.program, ...args], { cwd: this.folder, env: this.environmentOf(environment) });
  }

  private environmentOf(environment: Record<string, string> = {}) {
    return {
      PATH: process.env['PATH'],
      SWC_NODE_PROJECT: join(ROOT, 'tsconfig.json'),
      ...this.environment,
      ...environment,
    };
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true });
  }
}
