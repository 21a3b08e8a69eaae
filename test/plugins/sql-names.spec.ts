import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLUGINS } from '../../src/installed-plugins';
import { PROJECT } from '../architecture/source-tree';

/** What the SQL of a plugin may read of the service. */
const READ = [
  ...['users', 'workspaces', 'groups', 'permissions', 'workspace_memberships', 'group_memberships'],
  ...['user_permissions', 'workspace_permissions', 'group_permissions'],
  ...['journal_inbox', 'journal_changes', 'journal_personal', 'journal_head', 'journal_seals', 'journal_pruned'],
];
/** What it may call. */
const CALL = [
  ...['has_ended', 'have_ends', 'account_has_ended', 'ends_clock', 'iso_time', 'fold_case', 'journal_month'],
  ...['held_permissions', 'holds_permission', 'type_changes', 'change_origin', 'seal_journal'],
  ...['add_memberships', 'remove_memberships', 'set_ends', 'set_statuses', 'retype_members', 'journal_append_changes'],
];
/** Creating and changing records by the hundred thousand has no function: an import has locked them, and tells of each. */
const WRITES: Record<string, readonly string[]> = {
  'transfer/import-writes.ts': ['permissions', 'workspaces', 'groups', 'users'],
};

interface SqlFile {
  path: string;
  text: string;
  isMigration: boolean;
}

/** The SQL of a folder: of SQL files, and of texts in TypeScript that begin or hold a clause. */
function sqlIn(folder: string): SqlFile[] {
  const root = join(PROJECT, 'src', folder);
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  return paths
    .filter((path) => /\.(sql|ts)$/.test(path))
    .map((path) => ({ path, ...read(readFileSync(join(root, path), 'utf8'), path) }));
}

function read(source: string, path: string) {
  const isMigration = /(^|\/)migrations\//.test(path);
  if (path.endsWith('.sql')) return { isMigration, text: source.replace(/--.*$/gm, '') };
  const code = source.replace(/\/\*[^]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
  const texts = [...code.matchAll(/`[^`]*`|'[^'\n]*'/g)].map(([text]) => text);
  return {
    isMigration,
    text: texts.filter((text) => /\b(FROM|JOIN|INTO|UPDATE|SELECT|TABLE)\b/.test(text)).join(';\n'),
  };
}

const named = (files: readonly SqlFile[], pattern: RegExp): string[] =>
  files.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = '']) => name));
const madeIn = (files: readonly SqlFile[]) => ({
  tables: named(files, /CREATE (?:TEMPORARY |UNLOGGED )?TABLE (?:IF NOT EXISTS )?([a-z_]+)/g),
  functions: named(files, /CREATE OR REPLACE FUNCTION ([a-z_]+)/g),
});

const all = sqlIn('.').filter(({ path }) => !path.startsWith('plugins/'));
const service = madeIn(all);
const plugins = PLUGINS.map(({ name }) => ({ name, files: sqlIn(`plugins/${name}`) }));
const made = plugins.map(({ name, files }) => ({ name, ...madeIn(files) }));

it('the tables and functions of all are found', () => {
  expect(service.tables).toEqual(expect.arrayContaining(['users', 'groups', 'journal_inbox', 'administrator_guard']));
  expect(service.functions).toEqual(expect.arrayContaining(['assign_users', 'set_statuses', 'has_ended']));
  expect(made.find(({ name }) => name === 'scim')?.tables).toContain('scim_users');
});

it.each(plugins)('$name names what the door lists, and its own', ({ name, files }) => {
  const others = made.filter((one) => one.name !== name);
  const closed = {
    tables: [...service.tables, ...others.flatMap(({ tables }) => tables)].filter((table) => !READ.includes(table)),
    functions: [...service.functions, ...others.flatMap(({ functions }) => functions)].filter(
      (called) => !CALL.includes(called),
    ),
  };
  for (const { path, text, isMigration } of files) {
    if (isMigration) continue;
    const tables = [...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|ONLY)\s+([a-z_]+)/g)].map(([, table = '']) => table);
    const functions = [...text.matchAll(/\b([a-z_]+)\s*\(/g)].map(([, called = '']) => called);
    expect([path, tables.filter((table) => closed.tables.includes(table))]).toEqual([path, []]);
    expect([path, functions.filter((called) => closed.functions.includes(called))]).toEqual([path, []]);
    const written = [...text.matchAll(/\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+([a-z_]+)/g)].map(([, it = '']) => it);
    const foreign = [...new Set(written.filter((table) => service.tables.includes(table)))];
    expect([path, foreign.sort()]).toEqual([path, [...(WRITES[`${name}/${path}`] ?? [])].sort()]);
  }
});

it('the service names no table and no function of a plugin', () => {
  const [tables, functions] = [made.flatMap((one) => one.tables), made.flatMap((one) => one.functions)];
  for (const { path, text } of all) {
    const words = [...text.matchAll(/[a-z_]+/g)].map(([word]) => word);
    expect([path, words.filter((word) => tables.includes(word) || functions.includes(word))]).toEqual([path, []]);
  }
});
