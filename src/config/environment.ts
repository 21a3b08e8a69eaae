import { ExpectedError } from '../contract/expected-error';
import { type EnvFile, readEnvFile } from './env-file';
import { readVariableFiles } from './variable-files';
import type { ConfigPart } from './config-part';
import { intendedVariable, namesOf, type VariableName } from './variables';

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

  constructor(parts: readonly ConfigPart[], environment: Environment, envFile: EnvFile = { values: {}, problems: [] }) {
    const files = readVariableFiles(environment);
    this.values = { ...environment, ...files.values };
    this.givenAsFiles = files.given;
    this.problems = [...envFile.problems, ...misspelt(environment, envFile, namesOf(parts), this), ...files.problems];
    this.production = isProduction(this);
  }

  /** Reads the environment of the process, and the variables of `.env` that it does not have. */
  static ofProcess(parts: readonly ConfigPart[]): EnvironmentReader {
    const envFile = readEnvFile(namesOf(parts));
    // Libraries read the process's environment, too, and to some an empty variable is set.
    for (const [name, value] of Object.entries(envFile.values)) if (value) process.env[name] ??= value;
    return new EnvironmentReader(parts, process.env, envFile);
  }

  text(name: VariableName): string | undefined {
    return this.values[name] || undefined;
  }

  /** Also true for a variable whose file cannot be read, which is reported separately. */
  isSet(name: VariableName): boolean {
    return this.text(name) !== undefined || this.givenAsFiles.includes(name);
  }

  /** Reads a variable through `parse`, which returns undefined for a value that is not `expected`. */
  parsed<T>(name: VariableName, fallback: T, expected: string, parse: (text: string) => T | undefined): T {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = parse(text);
    if (value === undefined) {
      this.problems.push(`${name} must be ${expected}.`);
      return fallback;
    }
    return value;
  }

  integer(name: VariableName, fallback: number, min: number, max: number): number {
    return this.parsed(name, fallback, `a whole number from ${min} to ${max}`, (text) => {
      const value = /^\d+$/.test(text) ? Number(text) : NaN;
      return value >= min && value <= max ? value : undefined;
    });
  }

  oneOf<T extends string>(name: VariableName, fallback: T, values: readonly T[]): T {
    return this.parsed(name, fallback, `one of ${values.join(', ')}`, (text) => values.find((value) => value === text));
  }

  flag(name: VariableName, fallback: boolean): boolean {
    return this.oneOf(name, fallback ? 'true' : 'false', ['true', 'false']) === 'true';
  }

  list(name: VariableName): readonly string[] {
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

/** Also without a value: whoever fills it in later must know that it has no effect. */
function misspelt(
  environment: Environment,
  envFile: EnvFile,
  names: readonly string[],
  env: EnvironmentReader,
): string[] {
  return Object.keys({ ...envFile.values, ...environment }).flatMap((name) => {
    const isInFile = name in envFile.values;
    const intended = intendedVariable(name, names, (variable) => env.isSet(variable as VariableName), isInFile);
    return intended
      ? [`${name}${isInFile ? ' in .env' : ''} is no variable of this service: did you mean ${intended}?`]
      : [];
  });
}

function isProduction(env: EnvironmentReader): boolean {
  return env.oneOf('NODE_ENV', 'development', NODE_ENVS) === 'production';
}
