import type { DirectoryRecord } from '../../src/contract/directory';
import { SCIM } from '../../src/plugins/scim/scim.plugin';
import { importDirectory, type ImportSummary } from '../../src/plugins/transfer/import-directory';
import type { Sync } from '../../src/plugins/transfer/import-missing';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { newestEntries } from '../support/sealed';
import { IMPORT, TransferDatabase } from './transfer-database';

const ADMINISTER: DirectoryRecord = { permission: { id: 'administer', grants: 'administrator' } };
const ADA: DirectoryRecord = { user: { id: 'ada', permissions: ['administer'] } };
const NOBODY = { connection: 0, keep: 0, administrator: 0 };
const named = (...ids: string[]): DirectoryRecord[] => ids.map((id) => ({ user: { id } }));

describe('an import as a sync', () => {
  let database: TransferDatabase;
  beforeAll(async () => {
    database = await TransferDatabase.open();
  });
  beforeEach(async () => {
    await database.directory.clear();
    await database.import(ADMINISTER, ADA, ...named('ben', 'cyd', 'dee'), { user: { id: 'eve', status: 'inactive' } });
  });
  afterAll(() => database.close());

  const sync = (
    records: DirectoryRecord[],
    { deactivateMissing, ...options }: { dryRun?: true; deactivateMissing?: Sync },
  ): Promise<ImportSummary> =>
    importDirectory(
      database.dataSource,
      records.map((record) => JSON.stringify(record)),
      IMPORT,
      {
        userTypes: new UserTypeService(new UserTypeRule()),
        deactivateMissing: deactivateMissing && { ...deactivateMissing, spares: SCIM.spares ?? [] },
        ...options,
      },
    );
  const active = async (): Promise<string[]> => {
    const rows: { id: string }[] = await database.dataSource.query(
      `SELECT id FROM users WHERE status = 'active' ORDER BY id`,
    );
    return rows.map(({ id }) => id);
  };

  it('deactivates the active users that the file does not name, and no others, with entries as for any change', async () => {
    let before = 0;
    const summary = await sync([ADA, ...named('cyd', 'new', 'eve')], {
      deactivateMissing: { atMost: (users) => (before = users) },
    });
    expect(summary).toMatchObject({
      records: 4,
      created: { user: 1 },
      missing: { deactivated: 2, spared: NOBODY },
      rowsWritten: 3,
    });
    expect(before).toBe(4);
    expect(await active()).toEqual(['ada', 'cyd', 'new']);
    expect(await newestEntries(database.dataSource, 2, { user: 'ben' })).toMatchObject([
      {
        action: 'user.status.changed',
        actor: IMPORT.actor,
        before: { status: 'active' },
        after: { status: 'inactive' },
      },
      { action: 'user.created' },
    ]);
    expect(await sync([ADA, ...named('cyd', 'new')], { deactivateMissing: { atMost: () => 0 } })).toMatchObject({
      rowsWritten: 0,
    });
  });

  it('changes nothing if more are missing than may be, and says how many', async () => {
    const rows = await database.rows();
    await expect(
      sync([ADA, { user: { id: 'ben', displayName: 'Ben' } }], { deactivateMissing: { atMost: () => 1 } }),
    ).rejects.toThrow(
      'This would deactivate 2 of 4 active users, because the file does not name them: more than 1, which --at-most permits',
    );
    expect(await database.rows()).toEqual(rows);
  });

  it('leaves alone whom a connection knows, whom it is told to keep, and administrators unless it is told otherwise', async () => {
    await database.import({ workspace: { id: 'atlas', name: 'Atlas' } });
    await database.import({ user: { id: 'zoe', permissions: ['administer'] } });
    await database.dataSource.query(`
      WITH made AS (
        INSERT INTO scim_connections (workspace_key, id, name, token_hash) SELECT key, 'c', 'C', '' FROM workspaces RETURNING key)
      INSERT INTO scim_users (connection_key, user_key, provider_active, id, user_name, resource)
      SELECT made.key, users.key, true, users.id, users.id, '{}' FROM made, users WHERE users.id = 'ben'`);
    const atMost = (): number => 1;
    const dryRun = await sync([], { dryRun: true, deactivateMissing: { atMost, keep: ['ben', 'cyd', 'cyd', 'eve'] } });
    expect(dryRun.missing).toEqual({ deactivated: 1, spared: { connection: 1, keep: 1, administrator: 2 } });
    expect(await active()).toEqual(['ada', 'ben', 'cyd', 'dee', 'zoe']);

    const kept = await sync([ADA], {
      deactivateMissing: { atMost, keep: ['cyd', 'zoe'], includeAdministrators: true },
    });
    expect(kept.missing).toEqual({ deactivated: 1, spared: { connection: 1, keep: 2, administrator: 0 } });
    expect(await active()).toEqual(['ada', 'ben', 'cyd', 'zoe']);

    const all = await sync([ADA, ...named('cyd')], { deactivateMissing: { atMost, includeAdministrators: true } });
    expect(all.missing).toEqual({ deactivated: 1, spared: { connection: 1, keep: 0, administrator: 0 } });
    expect(await active()).toEqual(['ada', 'ben', 'cyd']);
  });

  it('keeps nobody whose id is misspelt, and changes nothing', async () => {
    const rows = await database.rows();
    const keep = ['ada', 'emergncy'];
    await expect(sync([ADA], { deactivateMissing: { atMost: () => 9, keep } })).rejects.toThrow(
      'There is no user "emergncy", whom --keep names',
    );
    expect(await database.rows()).toEqual(rows);
    await sync([ADA, ...named('emergncy')], { deactivateMissing: { atMost: () => 9, keep } });
  });

  it('refuses ids that a spreadsheet has changed, with their lines', async () => {
    await database.import(...named('00815', '0', '012', '0x9', 'a07'));
    const file = [ADA, ...named('ben', '1.23457E+11', '815', 'cyd', '1,2e+05', '12', '9', '7', 'E+11', '1E5', '012')];
    const deactivateMissing = { atMost: () => 9 };
    const advice = 'give the column of the ids the format Text before you fill it, and save the file again';
    const problems = [
      `ine 3: the id "1.23457E+11" looks like a number that a spreadsheet has rounded: ${advice}`,
      `ine 4: the id "815" is new, and looks like "00815", who exists: ${advice}`,
      `ine 6: the id "1,2e+05" looks like a number that a spreadsheet has rounded: ${advice}`,
      `ine 7: the id "12" is new, and looks like "012", who exists: ${advice}`,
    ];
    await expect(sync(file, { deactivateMissing: { ...deactivateMissing, keep: ['00815'] } })).rejects.toThrow(
      problems.map((problem) => `L${problem}`).join('.\n'),
    );
    const { warnings } = await sync(file, {});
    expect(warnings.map(({ line, problem }) => `ine ${line}: ${problem}`)).toEqual(problems);
    // Whoever exists is no new one.
    expect((await sync(file, {})).warnings).toEqual([]);
  });

  it.each<[string, string]>([
    ["'00815", '00815'],
    ['="00815"', '00815'],
    ['815.0', '815'],
    ['815.0', '00815'],
    ['815', '00815'],
    ['00815', '815'],
    ['a\u00a0b', 'ab'],
    ['a b', 'a\u2009b'],
    ['ada\u200b1', 'ada1'],
    ["'\u00a0x", 'x'],
  ])('does not take the new id %j for a stranger beside %j', async (given, existing) => {
    await database.import({ user: { id: existing } });
    const file = [ADA, { user: { id: given } }];
    const problem = expect.stringMatching(
      /^the id ".*" is new, and looks like ".*", who exists: give the column/,
    ) as string;
    await expect(sync(file, { deactivateMissing: { atMost: () => 9 } })).rejects.toMatchObject({
      problems: [{ line: 2, problem }],
    });
    expect((await sync(file, { dryRun: true })).warnings).toEqual([{ line: 2, problem }]);
  });

  it.each([
    '#NAME?',
    '#REF!',
    '#¡REF!',
    '#¿NOMBRE?',
    '#N/A',
    '#Н/Д',
    '#YOK',
    '#GETTING_DATA',
    '#WERT!',
    '#DIV/0!',
    'Err:502',
    '####',
  ])('does not take %s for an id', async (id) => {
    const problem = expect.stringContaining('is what a spreadsheet writes for an error') as string;
    await expect(sync([ADA, { user: { id } }], { deactivateMissing: { atMost: () => 9 } })).rejects.toMatchObject({
      problems: [{ line: 2, problem }],
    });
    expect((await sync([ADA, { user: { id } }], { dryRun: true })).warnings).toEqual([{ line: 2, problem }]);
  });

  it.each(['E+11', '1E5', "O'Hara", '#1', '#a', 'a.0b', '9', '=x'])('takes %j for an id', async (id) => {
    expect(
      (await sync([ADA, { user: { id } }], { dryRun: true, deactivateMissing: { atMost: () => 9 } })).warnings,
    ).toEqual([]);
  });

  it('warns of text that was decoded twice, and imports it', async () => {
    const texts = ['MÃ¼ller', 'Ð\u0098ван', 'Itâ€™s', 'Müller', 'JOSÉ’S', 'Ångström', 'Zoë', 'Иван', 'ÄÖÜ'];
    const file = [ADA, ...texts.map((displayName, n) => ({ user: { id: `u${n}`, displayName } }))];
    const { warnings } = await sync(file, { deactivateMissing: { atMost: () => 9 } });
    expect(warnings.map(({ line }) => line)).toEqual([2, 3, 4]);
    expect(warnings[0]?.problem).toBe(
      'displayName "MÃ¼ller" looks like text in UTF-8 that was read in another encoding: save the file as UTF-8',
    );
  });

  it('changes nothing if no active administrator would remain, and says how many it would deactivate', async () => {
    const rows = await database.rows();
    const deactivateMissing = { atMost: (users: number) => users, includeAdministrators: true };
    await expect(sync(named('ben'), { deactivateMissing })).rejects.toThrow(
      'This would deactivate 3 users, and leave the directory without an active administrator',
    );
    await expect(sync([], { deactivateMissing, dryRun: true })).rejects.toThrow(
      'This would deactivate 4 users, and leave',
    );
    expect(await database.rows()).toEqual(rows);
  });

  it('says in a dry run what it would do, and does nothing', async () => {
    await database.import(
      { workspace: { id: 'atlas', name: 'Atlas' } },
      { group: { id: 'editors', name: 'Editors', workspace: 'atlas' } },
    );
    const rows = await database.rows();
    const entries = await newestEntries(database.dataSource, 200);
    const { preview } = await sync(
      [
        ADMINISTER,
        { permission: { id: 'read', grants: 'member' } },
        { workspace: { id: 'atlas', name: 'Atlas!', permissions: ['read'] } },
        { group: { id: 'editors', name: 'Editors', workspace: 'atlas', permissions: ['read'] } },
        ADA,
        ...Array.from({ length: 60 }, (_, n) => ({ user: { id: `new-${String(n).padStart(2, '0')}` } })),
        { user: { id: 'ben', email: 'ben@example.com', workspaces: ['atlas'] } },
        { user: { id: 'cyd', status: 'inactive', displayName: 'Cyd' } },
        { user: { id: 'eve', status: 'active' } },
      ],
      { dryRun: true, deactivateMissing: { atMost: () => 1 } },
    );
    const news = Array.from({ length: 49 }, (_, n) =>
      expect.objectContaining({ id: `new-${String(n).padStart(2, '0')}` }),
    );
    expect(preview).toEqual([
      { outcome: 'created', kind: 'permission', count: 1, shown: [{ id: 'read', fields: ['description', 'grants'] }] },
      { outcome: 'created', kind: 'user', count: 60, shown: news },
      { outcome: 'changed', kind: 'workspace', count: 1, shown: [{ id: 'atlas', fields: ['name', 'permissions'] }] },
      { outcome: 'changed', kind: 'group', count: 1, shown: [{ id: 'editors', fields: ['permissions'] }] },
      {
        outcome: 'changed',
        kind: 'user',
        count: 2,
        shown: [
          { id: 'ben', fields: ['email', 'workspaces'] },
          { id: 'eve', fields: ['status'] },
        ],
      },
      {
        outcome: 'deactivated',
        kind: 'user',
        count: 2,
        shown: [
          { id: 'cyd', fields: ['displayName', 'status'] },
          { id: 'dee', fields: ['status'] },
        ],
      },
    ]);
    expect(await database.rows()).toEqual(rows);
    expect(await newestEntries(database.dataSource, 200)).toEqual(entries);
  });
});
