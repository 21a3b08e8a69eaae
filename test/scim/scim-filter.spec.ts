import { parseFilter } from '@user-administration/scim-protocol';
import { type FilterAttributes, filterCondition } from '../../src/plugins/scim/scim-filter-sql';
import { useMigratedDatabase } from '../support/migrated-database';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';

const ATTRIBUTES: FilterAttributes = {
  id: { kind: 'text', sql: 'u.id' },
  username: { kind: 'text', sql: 'fold_case(u.name)', folded: true },
  'name.familyname': { kind: 'text', sql: 'fold_case(u.family)', folded: true },
  active: { kind: 'boolean', sql: 'u.active' },
  'meta.created': { kind: 'time', sql: 'u.created' },
  emails: {
    kind: 'rows',
    from: 'jsonb_array_elements(u.emails) AS email',
    parts: {
      value: { kind: 'text', sql: `fold_case(email->>'value')`, folded: true },
      type: { kind: 'text', sql: `fold_case(email->>'type')`, folded: true },
      primary: { kind: 'boolean', sql: `(email->>'primary')::boolean` },
    },
    narrow: (parameter) => `u.addresses @> ARRAY[fold_case(${parameter})]`,
  },
};

const USERS = `(VALUES
  ('ann', 'Ann', 'Strauß', true, timestamptz '2026-01-01T00:00:00.5Z',
    '[{"type":"work","value":"Ann@x.example","primary":true},{"type":"home","value":"b@x.example"}]'::jsonb, ARRAY['ann@x.example', 'b@x.example']),
  ('ben', 'b"e\\n', NULL, false, '2026-02-01Z', '[{"type":"work","value":"b@x.example"}]', ARRAY['b@x.example']),
  ('Cyd', 'ΓΙΏΡΓΟΣ', '50%', true, '2026-03-01Z', '[]', ARRAY[]::text[])
) AS u (id, name, family, active, created, emails, addresses)`;

const database = useMigratedDatabase();

async function found(filter: string): Promise<string[]> {
  const parameters: unknown[] = [];
  const condition = filterCondition(parseFilter(filter), USER, ATTRIBUTES, parameters);
  const rows: { id: string }[] = await database.dataSource.query(
    `SELECT u.id FROM ${USERS} WHERE ${condition} ORDER BY lower(u.id)`,
    parameters,
  );
  return rows.map(({ id }) => id);
}

const brackets = (depth: number, inner: string) => '('.repeat(depth) + inner + ')'.repeat(depth);

/** Some filters are long. */
const named = <Rest extends unknown[]>(cases: [filter: string, ...Rest][]): [string, string, ...Rest][] =>
  cases.map(([filter, ...rest]) => [filter.slice(0, 80), filter, ...rest]);

it.each(
  named<[ids: string]>([
    ['userName eq "ANN"', 'ann'],
    [`${USER}:userName eq "ann"`, 'ann'],
    [`${USER.toUpperCase()}:USERNAME EQ "ann"`, 'ann'],
    ['userName eq "γιώργος"', 'Cyd'],
    ['userName eq "b\\"e\\\\n"', 'ben'],
    ['userName eq "b\\"e\\n"', ''],
    ['userName eq "\\u0061nn"', 'ann'],
    ['userName eq "DOMAIN\\user"', ''],
    ['userName ne "ann"', 'ben Cyd'],
    ['userName co "N"', 'ann ben'],
    ['userName sw "A"', 'ann'],
    ['userName ew "N"', 'ann ben'],
    ['userName gt "b"', 'ben Cyd'],
    ['userName ge "ann" and userName le "ann"', 'ann'],
    ['userName lt "b"', 'ann'],
    ['userName eq "\\u0000"', ''],
    ['userName ne "\\ud800"', 'ann ben Cyd'],
    ['id eq "cyd"', ''],
    ['id eq "Cyd"', 'Cyd'],
    ['id sw "C"', 'Cyd'],
    ['id eq null', ''],
    ['name.familyName pr', 'ann Cyd'],
    ['name.familyName eq null', 'ben'],
    ['name.familyName ne NULL', 'ann Cyd'],
    ['name.familyName co "%"', 'Cyd'],
    ['name.familyName ne "50%"', 'ann ben'],
    ['not (name.familyName eq "50%")', 'ann ben'],
    ['not (name.familyName eq "50%" or id eq "ann")', 'ben'],
    ['not (not (name.familyName eq "50%"))', 'Cyd'],
    ['active eq true', 'ann Cyd'],
    ['active eq "False"', 'ben'],
    ['active ne True', 'ben'],
    ['meta.created gt "2026-01-31T23:59:59Z"', 'ben Cyd'],
    ['meta.created eq "2026-02-01T02:00:00+02:00"', 'ben'],
    ['meta.created le "2026-01-01T00:00:00.500"', 'ann'],
    ['meta.created sw "2026-01-01t00:00:00.500z"', 'ann'],
    ['meta.created gt "0000-01-01T00:00:00Z"', 'ann ben Cyd'],
    ['meta.created gt "9999-12-31T23:59:59-02:00"', ''],
    ['emails pr', 'ann ben'],
    ['emails eq null', 'Cyd'],
    ['emails co "ann"', 'ann'],
    ['emails.value eq "B@x.example"', 'ann ben'],
    ['emails.type eq "home"', 'ann'],
    // Ann has b@x.example, and an address of work: two addresses.
    ['emails[type eq "work" and value eq "b@x.example"]', 'ben'],
    ['emails[type eq "work"].value eq "b@x.example"', 'ben'],
    ['EMAILS[Type eq "work"].Value sw "b" and active eq false', 'ben'],
    ['active eq false and emails[type eq "work"].value pr', 'ben'],
    ['emails[type eq "home" or type eq "none"].value pr or id eq "Cyd"', 'ann Cyd'],
    ['emails[type eq "work"] and emails.value eq "b@x.example"', 'ann ben'],
    ['emails[primary eq true].value co "].x"', ''],
    ['emails[not (type eq "work")]', 'ann'],
    ['not (emails[type eq "work"].value eq "b@x.example")', 'ann Cyd'],
    ['id eq "ann" or id eq "ben" and active eq true', 'ann'],
    ['(id eq "ann" or id eq "ben") and active eq false', 'ben'],
    ['not (id eq "ann") and active eq true', 'Cyd'],
    [brackets(490, 'id pr'), 'ann ben Cyd'],
    [`${'not ('.repeat(160)}id pr${')'.repeat(160)}`, 'ann ben Cyd'],
    [`id eq "${'😀'.repeat(990)}"`, ''],
  ]),
)('%s', async (_, filter, ids) => {
  expect((await found(filter)).join(' ')).toBe(ids);
});

const REFUSED = [
  '',
  ' ',
  'userName',
  'userName eq',
  'userName eq ann',
  'userName eq 5',
  'userName eq true',
  'userName like "ann"',
  'userName eq "ann',
  'userName eq "ann" and',
  'userName eq "ann" active eq true',
  'eq "ann"',
  'userName pr not userName pr',
  'userName pr not (userName pr)',
  'not userName pr',
  'not not (userName pr)',
  'userName pr and not userName pr',
  'emails[type pr not type pr]',
  'not emails[type pr]',
  'not',
  'not (',
  'and pr',
  'userName pr and and userName pr',
  '(userName eq "ann"',
  'userName eq "ann")',
  'password eq "x"',
  'constructor eq "x"',
  '__proto__ pr',
  'emails.constructor eq "x"',
  'urn:other:userName eq "ann"',
  'active gt true',
  'active eq "yes"',
  'active co "t"',
  'id gt null',
  'meta.created gt "yesterday"',
  'meta.created eq true',
  'userName[value eq "x"]',
  'emails[]',
  'emails[type eq "work"',
  'emails[type eq "work"].',
  'emails[type eq "work"].value',
  'emails[type eq "work"].value eq',
  'emails[type eq "work"].nothing eq "x"',
  'emails[emails[type eq "work"]]',
  ']. eq "x"',
  `userName eq "x'; DROP TABLE users; --`,
  brackets(10_000, 'id pr'),
  `id eq "${'x'.repeat(993)}"`,
];
it.each(named(REFUSED.map((filter) => [filter])))('refuses %s', async (_, filter) => {
  await expect(found(filter)).rejects.toMatchObject({ kind: 'invalidFilter' });
});
