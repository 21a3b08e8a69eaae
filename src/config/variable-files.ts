import { NotUtf8Error, OtherOwnerError, readSecretText } from '@user-administration/postgres/settings';
import { GIVEN_AS_FILES } from './variables';

type Variables = Readonly<Record<string, string | undefined>>;

interface VariableFiles {
  /** The contents of the files, by the names of the variables that they replace. */
  readonly values: Variables;
  /** The variables given as files, whether or not the file could be read. */
  readonly given: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Reads the files that variables such as `JWT_SECRET_FILE` name. Problems never quote the path, because it may be the
 * secret itself.
 */
export function readVariableFiles(environment: Variables): VariableFiles {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  const given = GIVEN_AS_FILES.filter((name) => environment[`${name}_FILE`]);
  for (const name of given) {
    const path = environment[`${name}_FILE`] ?? '';
    if (environment[name]) {
      problems.push(`Set only one of ${name} and ${name}_FILE.`);
      continue;
    }
    try {
      values[name] = readSecretText(path);
      if (values[name] === '') problems.push(`${name}_FILE must be a file that is not empty.`);
    } catch (error) {
      problems.push(`${name}_FILE must be a file ${lackOf(error)}.`);
    }
  }
  return { values, given, problems };
}

/** The end of the sentence that says what a file must be. */
export function lackOf(error: unknown): string {
  if (error instanceof NotUtf8Error) return 'of text in UTF-8';
  return error instanceof OtherOwnerError
    ? error.message
    : `that can be read (${(error as NodeJS.ErrnoException).code})`;
}
