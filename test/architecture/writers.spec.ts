import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '../../src');

/** The files of the service that have a pattern, without migrations: in SQL and in SQL within TypeScript. */
function filesWith(pattern: RegExp): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(sql|ts)$/.test(path) && !path.startsWith(join('database', 'migrations')))
    .filter((path) => pattern.test(readFileSync(join(SOURCES, path), 'utf8').replace(/^\s*--.*$/gm, '')))
    .sort();
}

/** Each fact of a set has one function that writes it, and whoever changes it calls that. */
it.each<[fact: string, pattern: RegExp, writers: string[]]>([
  ['new memberships', /\bINSERT INTO (workspace|group|\$\{\w+\})_memberships\b/, ['directory/sql/add_memberships.sql']],
  [
    'removed memberships',
    /\bDELETE FROM (workspace|group|\$\{\w+\})_memberships\b/,
    ['directory/sql/remove_memberships.sql'],
  ],
  [
    'ends of memberships',
    /\bUPDATE (workspace|group|\$\{\w+\})_memberships( AS \w+)? SET ends_at\b/,
    ['directory/sql/add_memberships.sql', 'directory/sql/bound_group_ends.sql', 'directory/sql/set_ends.sql'],
  ],
  ['statuses', /\bUPDATE users( AS \w+)? SET status\b/, ['directory/sql/set_statuses.sql']],
  ['types', /\bUPDATE users( AS \w+)? SET type\b/, ['users/user-type/sql/set_user_types.sql']],
  [
    'the rule that a group ends with its workspace',
    /\bold\.ends_at > w\.ends_at\b/,
    ['directory/sql/bound_group_ends.sql'],
  ],
  ['entries of memberships', /^\s+'groups', ARRAY\(SELECT id FROM groups/m, ['directory/sql/membership_changes.sql']],
])('%s are written in one place', (_, pattern, writers) => {
  expect(filesWith(pattern)).toEqual(writers);
});
