import { ExpectedError } from '../contract/expected-error';
import { readVariableFiles } from './variable-files';

/** The environment variables. An empty one counts as not set, as in a `.env` file without a value. */
export type Environment = Readonly<Record<string, string | undefined>>;

const NODE_ENVS = ['development', 'test', 'production'] as const;

/** Thrown once, with every problem of the environment and how to correct it. */
export class ConfigError extends ExpectedError {
  constructor(readonly problems: readonly string[]) {
    super(['The configuration has problems:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
  }
}

/** Reads variables and collects every problem, so that an operator can correct all of them at once. */
export class EnvironmentReader {
  readonly problems: string[];
  readonly production: boolean;
  private readonly values: Environment;
  private readonly givenAsFiles: readonly string[];

  constructor(environment: Environment) {
    const files = readVariableFiles(environment);
    this.values = { ...environment, ...files.values };
    this.givenAsFiles = files.given;
    this.problems = [...files.problems];
    this.production = isProduction(this);
  }

  text(name: string): string | undefined {
    return this.values[name] || undefined;
  }

  /** Also true for a variable whose file cannot be read, which is reported separately. */
  isSet(name: string): boolean {
    return this.text(name) !== undefined || this.givenAsFiles.includes(name);
  }

  /** Reads a variable through `parse`, which returns undefined for a value that is not `expected`. */
  parsed<T>(name: string, fallback: T, expected: string, parse: (text: string) => T | undefined): T {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = parse(text);
    if (value === undefined) {
      this.problems.push(`${name} must be ${expected}.`);
      return fallback;
    }
    return value;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    return this.parsed(name, fallback, `a whole number from ${min} to ${max}`, (text) => {
      const value = /^\d+$/.test(text) ? Number(text) : NaN;
      return value >= min && value <= max ? value : undefined;
    });
  }

  oneOf<T extends string>(name: string, fallback: T, values: readonly T[]): T {
    return this.parsed(name, fallback, `one of ${values.join(', ')}`, (text) => values.find((value) => value === text));
  }

  flag(name: string, fallback: boolean): boolean {
    return this.oneOf(name, fallback ? 'true' : 'false', ['true', 'false']) === 'true';
  }

  list(name: string): readonly string[] {
    const entries = this.parsed<string[]>(name, [], 'a list of entries, separated by commas', (text) => {
      const trimmed = text.split(',').map((entry) => entry.trim());
      return trimmed.includes('') ? undefined : trimmed;
    });
    return Object.freeze(entries);
  }

  require(condition: boolean, problem: string): void {
    if (!condition) this.problems.push(problem);
  }

  /** @throws ConfigError with every problem at once */
  requireNoProblems(): void {
    if (this.problems.length > 0) throw new ConfigError(this.problems);
  }
}

function isProduction(env: EnvironmentReader): boolean {
  return env.oneOf('NODE_ENV', 'development', NODE_ENVS) === 'production';
}
