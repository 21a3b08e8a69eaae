import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '../../src');

/** A take-over derives the types of all users, once in the life of a directory, and no user may come in meanwhile. */
const TAKE_OVER = ['users/user-type/user-type-owner.ts'];
/** The owner's commands, which change the partitions of the log: a tenth of a second for each attempt, before anything else is locked. */
const PARTITIONS = ['journal/journal-months.ts', 'journal/sql/journal_make_months.sql'];
const PERMITTED = [...PARTITIONS, ...TAKE_OVER];

/** A table lock holds up every writer of the table. */
it('no statement of the service but these locks a whole table', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(ts|sql)$/.test(path));
  expect(files.filter((path) => /\bLOCK\s+TABLE\b/i.test(readFileSync(join(SOURCES, path), 'utf8')))).toEqual(
    PERMITTED,
  );
  expect(files.length).toBeGreaterThan(100);
});
