import { SQL_ROOT } from '../../src/database/migrate';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT_HOURS } from '../../src/auth/expired-status-tokens';
import { USER_STATUSES, USER_TYPES } from '../../src/contract/directory';
import { ACTOR_KINDS, JOURNAL_ACTIONS } from '../../src/contract/journal';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks';
import { LIMITS } from '../../src/contract/limits';
import { refusalOf } from '../../src/database/refusals';
import { readSqlFunctions } from '@user-administration/postgres';
import { useTestService } from '../support/test-service';

const SOURCES = join(__dirname, '../../src');
const SECOND_MS = 1_000;
const BITS_BELOW_MONTH = 40;

/** A number that stands in one SQL function, and nowhere else. */
const onlyThere = (value: number): number => value;

/** Every number from 10 on and every interval in the SQL functions, with the one in TypeScript that it must equal. */
const NUMBERS: Record<string, (number | string)[]> = {
  change_user_status: [`${KEPT_HOURS} hour`],
  expand_deliveries: [onlyThere(1_000)],
  expand_next_webhook: [onlyThere(1_000)],
  claim_deliveries: ['1 ms', onlyThere(1_000)],
  journal_append_changes: [onlyThere(1_000), onlyThere(4_000), onlyThere(4_000_000)],
  journal_parts: [onlyThere(1_000)],
  journal_end_parts: [onlyThere(500)],
  is_ahead: ['10 years'],
  administers_until: ['1 minute'],
  due_ends: ['1 minute'],
  is_due: ['1 minute'],
  require_administrator: ['250 milliseconds'],
  create_import_tables: [LIMITS.identifier],
  carry_out_ends: [ADVISORY_LOCKS.expiry],
  permission_sources: [onlyThere(256)],
  represented_changes: [onlyThere(16 * 1024 * 1024)],
  journal_make_months: ['1 month', BITS_BELOW_MONTH],
  journal_month: [2_020, 12].map(onlyThere),
  // Where the name of a partition has its year and its month.
  journal_last_month: [2_020, 12, 17, 22].map(onlyThere),
  // The bounds of a batch.
  seal_journal: [SECOND_MS, BITS_BELOW_MONTH, ...[10_000, 32_000_000].map(onlyThere)],
  unassign_users: [LIMITS.representedMemberships],
  undo_request: [LIMITS.representedMemberships],
};

const functions = readSqlFunctions(SQL_ROOT).map(({ name, definition }) => ({
  name,
  body: definition.replace(/--.*$/gm, ''),
}));

function numbersIn(body: string): (number | string)[] {
  const intervals = [...body.matchAll(/interval '([^']*)'/g)].map(([, length = '']) => length);
  const numbers = body.replace(/'[^']*'/g, '').match(/(?<![\w$.])\d[\d.]*/g) ?? [];
  return [...numbers.map(Number).filter((value) => value >= 10), ...intervals];
}

describe('what stands both in SQL and in TypeScript', () => {
  const service = useTestService();
  const distinct = (values: Iterable<number | string>) => [...new Set(values)].map(String).sort();

  it.each(functions)('is the same number in $name', ({ name, body }) => {
    expect(distinct(numbersIn(body))).toEqual(distinct(NUMBERS[name] ?? []));
  });

  it('is a number of its own for every advisory lock', () => {
    const numbers = Object.values(ADVISORY_LOCKS);
    expect([...new Set(numbers)]).toEqual(numbers);
  });

  it('is the same length of every identifier', async () => {
    const columns: { length: number }[] = await service.dataSource.query(
      `SELECT DISTINCT character_maximum_length AS length FROM information_schema.columns
       WHERE table_schema = current_schema() AND character_maximum_length IS NOT NULL`,
    );
    expect(columns).toEqual([{ length: LIMITS.identifier }]);
    const written = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => [...readFileSync(join(SOURCES, path), 'utf8').matchAll(/varchar\((\d+)\)/g)])
      .map(([, length]) => Number(length));
    expect(new Set(written)).toEqual(new Set([LIMITS.identifier]));
  });

  it.each([
    ['user_type', USER_TYPES],
    ['user_status', USER_STATUSES],
    ['actor_kind', ACTOR_KINDS],
  ])('are the same words in the same order in %s', async (type, words) => {
    const [{ labels }]: [{ labels: string[] }] = await service.dataSource.query(
      'SELECT enum_range(NULL::' + type + ')::text[] AS labels',
    );
    expect(labels).toEqual(words);
  });

  it('are actions that the journal has', () => {
    const kinds = [...new Set(JOURNAL_ACTIONS.map((action) => action.split('.')[0]))].join('|');
    const written = functions.flatMap(
      ({ body }) => body.match(new RegExp(`(?<=')(?:${kinds})(?:\\.\\w+)+(?=')`, 'g')) ?? [],
    );
    expect(JOURNAL_ACTIONS).toEqual(expect.arrayContaining(written));
    expect(written).toContain('user.type.changed');
  });

  it('is a refusal for every error that a function raises', () => {
    const codes = functions.flatMap(({ body }) => body.match(/(?<=ERRCODE = ')UA\w+(?=')/g) ?? []);
    const unknown = codes.filter((code) => !refusalOf(Object.assign(new Error(), { code })));
    expect(unknown).toEqual([]);
    expect(codes).toContain('UA005');
  });
});
