import { useTestService } from '../support/test-service';
import { call } from '../support/record-calls';
import { StatementLog } from '../database/statement-log';
import { Expiry } from '../../src/expiry/expiry';
import { Sealer } from '../../src/journal/sealer';

const service = useTestService();
let log: StatementLog;

beforeAll(async () => {
  const { directory, dataSource } = service;
  await directory.permission('administer', 'administrator');
  await directory.permission('manage', 'manager');
  await directory.user('ada', { type: 'administrator', permissions: ['administer'] });
  await directory.workspace('atlas', ['manage']);
  await directory.group('atlas-editors', 'atlas');
  await service.app.get(Sealer).beforeApplicationShutdown();
  await service.app.get(Expiry).beforeApplicationShutdown();
  log = StatementLog.of(dataSource);
});

/** The number of statements of an import, those of its transaction and of the guards included. */
async function importing(records: readonly object[], query = ''): Promise<number> {
  log.take();
  const { status } = await call(service, 'POST', `/api/imports${query}`, {
    body: records.map((record) => JSON.stringify(record)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect(status).toBe(200);
  return log.take().length;
}

const user = (id: string, fields: object = {}) => ({ user: { id, ...fields } });
const ONE = user('ben', {
  status: 'inactive',
  workspaces: ['atlas'],
  groups: ['atlas-editors'],
  permissions: ['manage'],
});

describe('the number of SQL statements of an import', () => {
  it.each<[string, object]>([
    ['a user', ONE],
    ['a user who is there', user('ada', { displayName: 'Ada' })],
    ['a workspace', { workspace: { id: 'borealis', name: 'Borealis', permissions: ['manage'] } }],
    ['a group', { group: { id: 'atlas-managers', name: 'Managers', workspace: 'atlas', permissions: ['manage'] } }],
    ['a permission', { permission: { id: 'read', grants: 'member' } }],
  ])('of one line, %s, is below 40', async (_, record) => {
    expect(await importing([record])).toBeLessThan(40);
    // Nothing is left to do.
    expect(await importing([record])).toBeLessThan(40);
  });

  it.each<[string, (n: number) => object]>([
    ['users', (n) => user(`user-${n}`, { ...ONE.user, id: `user-${n}` })],
    ['workspaces', (n) => ({ workspace: { id: `w-${n}`, name: 'W', permissions: ['manage'] } })],
    ['groups', (n) => ({ group: { id: `g-${n}`, name: 'G', workspace: 'atlas', permissions: ['manage'] } })],
    ['permissions', (n) => ({ permission: { id: `p-${n}`, grants: 'member' } })],
  ])('of one kind of record, %s, is below 60', async (_, record) => {
    expect(await importing(Array.from({ length: 1_500 }, (__, n) => record(n)))).toBeLessThan(60);
  });

  it('of a file that also deactivates is below 40', async () => {
    expect(await importing([ONE], '?deactivateMissing=true&atMost=100%25&keep=ada')).toBeLessThan(40);
  });
});
