import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/load-config';
import { isTrustedOwner } from '@user-administration/postgres/settings';
import { GIVEN_AS_FILES } from '../../src/config/variables';
import { problemsOf, SECRET } from './problems-of';

const PRODUCTION = { NODE_ENV: 'production' };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'variable-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @returns the path of a new file */
function file(content: string | Uint8Array, name = 'file'): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('a variable whose value is in a file (NAME_FILE)', () => {
  it('can be any secret and any URL', () => {
    const config = loadConfig({
      ...PRODUCTION,
      DATABASE_URL_FILE: file('postgres://db/directory\n', 'url'),
      JWT_JWKS_URI_FILE: file('https://login.example.com/jwks\n', 'jwks'),
      STATUS_TOKEN_SECRET_FILE: file(`${SECRET}\n`, 'secret'),
    });
    expect(config).toMatchObject({
      databaseUrl: 'postgres://db/directory',
      accessTokens: { key: { kind: 'jwks', uri: 'https://login.example.com/jwks' } },
      statusTokenSecret: SECRET,
    });
  });

  it.each(['', '\n', '\r\n', '\n\n'])('is read without the line break at its end: %j', (end) => {
    const { key } = loadConfig({ JWT_SECRET_FILE: file(` ${SECRET} ${end}`) }).accessTokens;
    expect(key).toEqual({ kind: 'secret', secret: ` ${SECRET} ` });
  });

  it('must meet the same rules as the value itself', () => {
    expect(problemsOf({ JWT_SECRET_FILE: file('short\n') })).toEqual([
      'JWT_SECRET must be at least 32 bytes long (RFC 7518 section 3.2).',
    ]);
  });

  it('is not read if the variable has a value of its own', () => {
    expect(problemsOf({ JWT_SECRET: SECRET, JWT_SECRET_FILE: join(folder, 'nothing') })).toEqual([
      'Set only one of JWT_SECRET and JWT_SECRET_FILE.',
    ]);
  });

  it.each(GIVEN_AS_FILES)('can be %s, if that has no value of its own', (name) => {
    expect(problemsOf({ [name]: 'x', [`${name}_FILE`]: file('x') })).toContain(
      `Set only one of ${name} and ${name}_FILE.`,
    );
    expect(problemsOf({ JWT_SECRET: SECRET, [`${name}_FILE`]: '' })).toEqual([]);
  });

  it.each<[string, () => string, string]>([
    ['does not exist', () => join(folder, 'nothing'), 'that can be read (ENOENT)'],
    ['is a folder', () => folder, 'that can be read (EISDIR)'],
    ['is below a file', () => join(file('x'), 'y'), 'that can be read (ENOTDIR)'],
    ['is empty', () => file(''), 'that is not empty'],
    ['is an empty line', () => file('\n'), 'that is not empty'],
    ['holds random bytes', () => file(Uint8Array.from({ length: 48 }, (_, n) => 255 - n)), 'of text in UTF-8'],
  ])('is refused, without further problems, if the file %s', (_, path, lack) => {
    const environment = { ...PRODUCTION, DATABASE_URL_FILE: path(), JWT_SECRET_FILE: path() };
    expect(problemsOf(environment)).toEqual([
      `DATABASE_URL_FILE must be a file ${lack}.`,
      `JWT_SECRET_FILE must be a file ${lack}.`,
    ]);
  });

  it('is refused if the process may not read the file', () => {
    const path = file(SECRET);
    chmodSync(path, 0);
    // Root may read everything.
    const expected = process.getuid?.() === 0 ? [] : ['JWT_SECRET_FILE must be a file that can be read (EACCES).'];
    expect(problemsOf({ JWT_SECRET_FILE: path })).toEqual(expected);
  });

  it('is refused if another user owns the file, who can change it', () => {
    const [path, password] = [file(SECRET), file('a password', 'password')];
    const isRoot = process.getuid?.() === 0;
    // Only root can give a file to another user.
    if (isRoot) for (const given of [path, password]) chownSync(given, 54_321, 54_321);
    const problems = ['JWT_SECRET_FILE', 'DATABASE_PASSWORD_FILE'].map(
      (name) => `${name} must be a file that belongs to the user of this process, or to root.`,
    );
    expect(problemsOf({ JWT_SECRET_FILE: path, DATABASE_PASSWORD_FILE: password })).toEqual(isRoot ? problems : []);
    expect([0, 1000, 1001].filter((owner) => isTrustedOwner(owner, 1000))).toEqual([0, 1000]);
    expect([0, 1000].filter((owner) => isTrustedOwner(owner, 0))).toEqual([0]);
    // Windows.
    expect(isTrustedOwner(0, undefined)).toBe(true);
  });

  it('is not quoted in a problem, nor is its path', () => {
    mkdirSync(join(folder, 'hunter2'));
    const said = problemsOf({ JWT_SECRET_FILE: join(folder, 'hunter2'), DATABASE_URL_FILE: file('hunter2') });
    expect(said).toHaveLength(2);
    expect(said.join()).not.toContain('hunter2');
  });
});
