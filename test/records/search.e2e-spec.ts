import { useContractService } from '../support/contract-service';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { DIRECTORY_ENTITIES } from '../../src/directory/entities';
import { Workspace } from '../../src/directory/workspace.entity';
import { RecordReader } from '../../src/records/record-reader';
import { SeverableDatabase } from '../support/severable-database';
import { findWorkspaces } from './find-workspaces';

const service = useContractService();

beforeAll(async () => {
  const { directory } = service;
  for (const name of ['Γιώργος', 'ΓΙΏΡΓΟΣ', 'Γιώργοτ', 'Σοφία', 'İzmir ẞ', 'izmir ß']) await directory.workspace(name);
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
])('a search for %s finds %j, whatever the case', async (search, names) => {
  const found = await findWorkspaces(service, search);
  expect(found.map(({ name }) => name).sort()).toEqual([...names].sort());
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
