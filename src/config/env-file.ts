import { existsSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { nearestName } from './nearest-name';
import { NotUtf8Error, readText } from '@user-administration/postgres/settings';

const ASSIGNMENT = /^\s*(?:export +)?[\w.-]+[ \t]*=[ \t]*(.*)$/;
const BLANK_OR_COMMENT = /^\s*(#.*)?$/;
const NEAR = 2;

export interface EnvFile {
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly problems: readonly string[];
}

/**
 * Reads `.env` in the working folder, if there is one.
 *
 * @param names those of all variables, to tell what a bad line was meant to be
 */
export function readEnvFile(names: readonly string[]): EnvFile {
  try {
    return existsSync('.env') ? parse(readText('.env'), names) : { values: {}, problems: [] };
  } catch (error) {
    const expected = error instanceof NotUtf8Error ? 'of text in UTF-8' : 'that can be read';
    return { values: {}, problems: [`.env in the working folder must be a file ${expected}, or be removed.`] };
  }
}

/**
 * `parseEnv` gets assignments alone: it appends any other line to the name of the next variable, which is then lost.
 */
function parse(text: string, names: readonly string[]): EnvFile {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const assignments: string[] = [];
  const problems: string[] = [];
  for (let at = 0; at < lines.length;) {
    const count = assignmentAt(lines, at);
    if (count === 0 && !BLANK_OR_COMMENT.test(lines[at] as string))
      problems.push(problemOf(lines[at] as string, at + 1, names));
    assignments.push(...lines.slice(at, at + count));
    at += Math.max(count, 1);
  }
  return { values: parseEnv(assignments.join('\n')), problems };
}

/**
 * The number of lines of the assignment that begins at a line; 0 if none does. A value in quotes can have several
 * lines.
 */
function assignmentAt(lines: readonly string[], at: number): number {
  const value = ASSIGNMENT.exec(lines[at] as string)?.[1];
  if (value === undefined) return 0;
  const quote = value[0] ?? '';
  if (!['"', "'", '`'].includes(quote)) return 1;
  const [, ...after] = value.split(quote);
  if (after.length > 1) return BLANK_OR_COMMENT.test(after.slice(1).join(quote)) ? 1 : 0;
  const end = lines.findIndex((line, index) => index > at && line.includes(quote));
  const rest = end < 0 ? undefined : (lines[end] as string).slice((lines[end] as string).indexOf(quote) + 1);
  return rest !== undefined && BLANK_OR_COMMENT.test(rest) ? end - at + 1 : 0;
}

/** Nothing of the line is quoted, because it may be part of a secret. */
function problemOf(line: string, number: number, names: readonly string[]): string {
  const nearest = nearestName(/\w+/.exec(line)?.[0] ?? '', names);
  const name = nearest && nearest.distance <= NEAR ? nearest.name : 'NAME';
  return `.env must have an assignment in line ${number}: ${name}=value.`;
}
