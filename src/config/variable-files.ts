import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

/** All secrets and URLs. Each can also be in a file, named by the same variable with `_FILE`. */
export const GIVEN_AS_FILES = [
  'DATABASE_URL',
  'JWT_SECRET',
  'JWT_PUBLIC_KEY',
  'JWT_JWKS_URI',
  'STATUS_TOKEN_SECRET',
] as const;

type Variables = Readonly<Record<string, string | undefined>>;

interface VariableFiles {
  /** The contents of the files, by the names of the variables that they replace. */
  readonly values: Variables;
  /** The variables given as files, whether or not the file could be read. */
  readonly given: readonly string[];
  readonly problems: readonly string[];
}

/** Reads the files that variables such as `JWT_SECRET_FILE` name. Problems never quote the path, because it may be the secret itself. */
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
      values[name] = readText(path);
      if (values[name] === '') problems.push(`${name}_FILE must be a file that is not empty.`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const expected = error instanceof NotUtf8Error ? 'of text in UTF-8' : `that can be read (${code})`;
      problems.push(`${name}_FILE must be a file ${expected}.`);
    }
  }
  return { values, given, problems };
}

/** A file of other bytes than text in UTF-8. */
export class NotUtf8Error extends Error {}

/**
 * The text of a file without trailing line breaks, which editors and `echo` add, and without a byte order mark. Bytes that are not
 * UTF-8 are refused, because they would be changed silently, and so is a NUL: UTF-16 has one in each ASCII character.
 *
 * @throws NotUtf8Error
 */
export function readText(path: string): string {
  const bytes = readFileSync(path);
  if (!isUtf8(bytes) || bytes.includes(0)) throw new NotUtf8Error();
  return new TextDecoder().decode(bytes).replace(/[\r\n]+$/, '');
}
