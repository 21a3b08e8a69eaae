import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '../../src');

/** YugabyteDB refuses table locks, and on PostgreSQL one would hold up every writer of the table. */
it('no statement of the service locks a whole table', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(ts|sql)$/.test(path));
  expect(files.filter((path) => /\bLOCK\s+TABLE\b/i.test(readFileSync(join(SOURCES, path), 'utf8')))).toEqual([]);
  expect(files.length).toBeGreaterThan(100);
});
