import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '../../src');

/** A take-over derives the types of all users, once in the life of a directory, and no user may come in meanwhile. */
const PERMITTED = ['users/user-type/user-type-owner.ts'];

/** A table lock holds up every writer of the table. */
it('no statement of the service but one locks a whole table', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(ts|sql)$/.test(path));
  expect(files.filter((path) => /\bLOCK\s+TABLE\b/i.test(readFileSync(join(SOURCES, path), 'utf8')))).toEqual(
    PERMITTED,
  );
  expect(files.length).toBeGreaterThan(100);
});
