import { useTestService } from '../support/test-service';
import { createDataSource, migrate } from '../support/whole-schema';
import { DIRECTORY_ENTITIES } from '../../src/directory/entities';
import { Workspace } from '../../src/directory/workspace.entity';
import { contains } from '../../src/records/list-filters';
import { RecordReader } from '../../src/records/record-reader';
import { openMigratedDatabase } from '../support/migrated-database';
import { SeverableDatabase } from '../support/severable-database';
import { findWorkspaces } from './find-workspaces';

const service = useTestService();

beforeAll(async () => {
  const { directory } = service;
  for (const name of [
    'Γιώργος',
    'ΓΙΏΡΓΟΣ',
    'Γιώργοτ',
    'Σοφία',
    'İzmir ẞ',
    'izmir ß',
    'Lucía Mora',
    'søren Łódź',
    'किताब',
    '李明 Wang',
    '山田\u3000太郎',
    'Lovelace,  Augusta Ada',
    'Åsa Öberg',
    'Łukasz Wałęsa',
    'Yılmaz IŞIK',
    'Đorđe Þórr Ægir Œuvré',
    'Ǿlaf Ǽsir',
    'a\u2003b\u0085cd',
  ])
    await directory.workspace(name);
});

const GEORGE = ['ΓΙΏΡΓΟΣ', 'Γιώργος'];

// Greek has two small sigmas: ς at the end of a word, and σ elsewhere. Both have the capital Σ.
it.each([
  ['γιώργος', GEORGE],
  ['ΓΙΏΡΓΟΣ', GEORGE],
  ['γιώργοσ', GEORGE],
  ['ργοΣ', GEORGE],
  ['ργο', [...GEORGE, 'Γιώργοτ']],
  ['ΣΟΦΊΑ', ['Σοφία']],
  ['ςοφία', ['Σοφία']],
  ['σσσ', []],
  ['IZMIR', ['izmir ß', 'İzmir ẞ']],
  ['izmir ẞ', ['izmir ß', 'İzmir ẞ']],
  ['lucia mora', ['Lucía Mora']],
  ['LUCI\u0301A', ['Lucía Mora']],
  ['SØREN łodz', ['søren Łódź']],
  ['soren', ['søren Łódź']],
  ['lodz  SOREN', ['søren Łódź']],
  ['ada lovelace', ['Lovelace,  Augusta Ada']],
  ['lovelace\tada\r\n', ['Lovelace,  Augusta Ada']],
  ['augusta\u00a0\u00a0 LOVELACE', ['Lovelace,  Augusta Ada']],
  [' lovelace, ada ', ['Lovelace,  Augusta Ada']],
  ['ad lov', ['Lovelace,  Augusta Ada']],
  ['a lo da', []],
  ['lovelace byron', []],
  ['ada ada', ['Lovelace,  Augusta Ada']],
  ['ovel gust a l aug ada lov lace byron', ['Lovelace,  Augusta Ada']],
  ['ovel gust a l aug ada lov byron', []],
  ['oberg', ['Åsa Öberg']],
  ['lukasz walesa', ['Łukasz Wałęsa']],
  ['yilmaz isik', ['Yılmaz IŞIK']],
  ['yılmaz ışık', ['Yılmaz IŞIK']],
  ['dorde thorr aegir oeuvre', ['Đorđe Þórr Ægir Œuvré']],
  ['ÐORĐE', []],
  ['olaf aesir', ['Ǿlaf Ǽsir']],
  ['œuvre æ', ['Đorđe Þórr Ægir Œuvré']],
  ['izmir ss', ['izmir ß', 'İzmir ẞ']],
  ['b cd', ['a\u2003b\u0085cd']],
  ['ø', ['Ǿlaf Ǽsir', 'Åsa Öberg', 'Đorđe Þórr Ægir Œuvré']],
  ['कताब', []],
  ['李', ['李明 Wang']],
  ['明', []],
  ['wan', ['李明 Wang']],
  ['wa', ['李明 Wang', 'Łukasz Wałęsa']],
  ['W\u0301', ['李明 Wang', 'Łukasz Wałęsa']],
  ['an', []],
  ['太', ['山田\u3000太郎']],
  ['L', ['Lucía Mora', 'søren Łódź', 'Łukasz Wałęsa', 'Lovelace,  Augusta Ada']],
  ['lu', ['Lucía Mora', 'Łukasz Wałęsa']],
  ['%', []],
  ['_', []],
])('a search for %s finds %j, whatever the case', async (search, names) => {
  const found = await findWorkspaces(service, search);
  expect(found.map(({ name }) => name).sort()).toEqual([...names].sort());
});

// The index must not return what the search then drops: without a letter in the place of a sigma, it would return every record.
it('the trigram index alone finds the matches of each spelling', async () => {
  const { dataSource, close } = await openMigratedDatabase();
  await dataSource.query(`
    INSERT INTO workspaces (id, name) SELECT 'w' || n, CASE WHEN n <= 4 THEN 'σ' || repeat('Σ', n) || 'ς' ELSE 'Σοφία ' || n END
    FROM generate_series(1, 300) AS n`);
  await dataSource.transaction(async (manager) => {
    await manager.query('SET LOCAL enable_seqscan = off');
    for (const search of ['σσσ', 'ΣΣΣ', 'ςςς', 'σΣς']) {
      const probe = contains(search, true).probe.replace(':search0', '$1');
      const lines: { 'QUERY PLAN': string }[] = await manager.query(
        `EXPLAIN (ANALYZE, COSTS off, TIMING off) SELECT FROM workspaces AS record WHERE ${probe}`,
        [search],
      );
      const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Bitmap Heap Scan on workspaces record \(actual rows=4\b/);
      expect(plan).toMatch(/Bitmap Index Scan on workspaces_search \(actual rows=4\b/);
    }
  });
  await close();
});

it('a search finds something after one that met an outage', async () => {
  const database = await SeverableDatabase.open();
  const dataSource = await createDataSource(database.address, DIRECTORY_ENTITIES).initialize();
  await migrate(dataSource);
  const reader = new RecordReader(dataSource);
  const search = () => reader.page(Workspace, { search: 'atlas', sort: 'id', limit: 1 }, ({ id }) => id);
  await database.cut();
  await expect(search()).rejects.toThrow();
  await database.mend();
  expect(await search()).toEqual({ records: [], next: null });
  await dataSource.destroy();
  await database.close();
});
