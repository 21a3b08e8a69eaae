import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './source-tree';

/** A new layer between a request and its SQL function must be worth its place here. */
const MOST_FILES = 45;
const MOST_FUNCTIONS = 150;

describe('the way of an assignment', () => {
  const page = readFileSync(join(PROJECT, 'docs/ARCHITECTURE.md'), 'utf8');
  const [way = ''] = /## The way of an assignment[^]*?(?=\n## )/.exec(page) ?? [];
  const named = (ending: string) =>
    [...way.matchAll(/`([\w./-]+)`/g)].map(([, path = '']) => path).filter((path) => path.endsWith(ending));
  const printed = execFileSync(process.execPath, ['scripts/way-of-an-assignment.mjs'], {
    cwd: PROJECT,
    encoding: 'utf8',
  });
  const lines = printed.trimEnd().split('\n');
  const ran = lines.slice(0, -1).map((line) => line.split(' ')[0]);
  const [files, functions] = lines.at(-1)?.match(/\d+/g)?.map(Number) ?? [];

  it('passes the files that docs/ARCHITECTURE.md lists', () => {
    expect(named('.ts').sort()).toEqual(ran.sort());
  });

  it('ends in SQL files that are there', () => {
    expect(named('.sql').filter((path) => !existsSync(join(PROJECT, 'src', path)))).toEqual([]);
    expect(named('.sql')).toContain('users/sql/assign_users.sql');
  });

  it('does not grow', () => {
    expect(files).toBeLessThanOrEqual(MOST_FILES);
    expect(functions).toBeLessThanOrEqual(MOST_FUNCTIONS);
  });
});
