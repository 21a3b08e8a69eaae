import type { DataSource } from 'typeorm';
import { createDataSource, migrate } from '../support/whole-schema';
import { describeOnServer } from '../support/describe-on-server';
import { openIcuDatabase } from '../support/icu-database';
import { useMigratedDatabase } from '../support/migrated-database';

const database = useMigratedDatabase();

/** All code points that text can have, but NUL, folded. */
async function foldAll(dataSource: DataSource): Promise<ReadonlyMap<string, string>> {
  const rows: { letter: string; folded: string; again: string }[] = await dataSource.query(`
    SELECT chr(code) AS letter, fold_case(chr(code)) AS folded, fold_case(fold_case(chr(code))) AS again
    FROM generate_series(1, x'1ffff'::int) AS code WHERE code NOT BETWEEN x'd800'::int AND x'dfff'::int`);
  expect(rows.filter(({ folded, again }) => folded !== again)).toEqual([]);
  return new Map(rows.map(({ letter, folded }) => [letter, folded]));
}

/** By the simple case folding of regular expressions, which is that of Unicode. */
function differOnlyInCase(one: string, other: string): boolean {
  const code = one.codePointAt(0)?.toString(16) ?? '';
  return new RegExp(`^\\u{${code}}$`, 'iu').test(other);
}

it('case folding is that of Unicode, for every letter that this Node knows', async () => {
  const folded = await foldAll(database.dataSource);
  const wrong = [...folded].filter(([letter, fold]) => {
    if (!/\p{Assigned}/u.test(letter) || letter === 'İ') return false;
    const variants = [letter.toLowerCase(), letter.toUpperCase(), letter.toUpperCase().toLowerCase()];
    const equal = variants.filter((variant) => variant !== 'i̇' && differOnlyInCase(letter, variant));
    const isSame = fold === letter.normalize() || differOnlyInCase(letter.normalize(), fold);
    return !isSame || equal.some((variant) => folded.get(variant) !== fold);
  });
  expect(wrong).toEqual([]);
});

it.each([
  ['İ', 'i'],
  ['I\u0307', 'i'],
  ['I\u0307rem', 'irem'],
  ['ı', 'ı'],
  ['ΓΙΏΡΓΟΣ', 'γιώργοσ'],
  ['Straße ẞ', 'straße ß'],
  ['\u212bngstro\u0308m', 'ångström'],
  ['H\u0331', '\u1e96'],
])('%j is folded to %j', async (given, folded) => {
  expect(await database.dataSource.query('SELECT fold_case($1) AS folded', [given])).toEqual([{ folded }]);
});

describeOnServer('a database of another locale', () => {
  it('folds every letter in the same way', async () => {
    const other = await openIcuDatabase();
    if (!other) return;
    const dataSource = await createDataSource(other).initialize();
    await migrate(dataSource);
    expect(await foldAll(dataSource)).toEqual(await foldAll(database.dataSource));
    await dataSource.destroy();
    await other.close();
  });
});
