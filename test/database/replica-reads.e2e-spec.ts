import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { Journal } from '../../src/journal/journal';
import { JournalCursor } from '../../src/journal/journal-cursor';
import type { NewEntry } from '../../src/journal/new-entry';
import { startTestService, type TestService } from '../support/test-service';
import { type Answer, ask, assign } from '../support/ask';
import { eventually } from '../support/eventually';
import { SeverableDatabase } from '../support/severable-database';
import { asJudged } from '../support/as-judged';

/** A second database in the place of a replica, with the same chains of changes. The user in its rows tells which of the two was read. */
let replica: SeverableDatabase;
/** Another service, to which the replica is the database. */
let beside: TestService;
let service: TestService;

beforeAll(async () => {
  replica = await SeverableDatabase.open();
  beside = await startTestService({ database: replica.address });
  service = await startTestService({ environment: { DATABASE_REPLICA_URLS: replica.address.url } });
  for (const { directory } of [service, beside]) {
    await directory.user('ada', { type: 'administrator' });
    await directory.workspace('atlas');
  }
  await tell(service, 'primary', 4);
  await tell(service, 'primary', 1, { action: 'user.deleted' });
  const [{ changes }]: [{ changes: string }] = await service.dataSource.query(
    'SELECT json_agg(change)::text AS changes FROM journal_changes AS change',
  );
  await beside.dataSource.query(
    'INSERT INTO journal_changes OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::journal_changes, $1)',
    [changes.replaceAll('"primary"', '"replica"')],
  );
  // Its journal is longer than that of the database.
  await beside.dataSource.query('UPDATE journal_heads SET number = number + 1000');
});
afterAll(async () => {
  await service?.close();
  await beside?.close();
  await replica?.close();
});

/** One entry after the other, each of a moment of its own. */
async function tell(
  { app, dataSource }: TestService,
  user: string,
  entries: number,
  entry: NewEntry = { action: 'user.type.changed', after: { type: 'member' } },
): Promise<void> {
  for (let told = 0; told < entries; told++) {
    await dataSource.transaction((manager) =>
      app.get(Journal).append(manager, asJudged({ actor: { kind: 'system', id: 'test' } }), [{ ...entry, user }]),
    );
  }
}

function read(query = '', sub = 'ada'): Promise<Answer> {
  const headers = { authorization: `Bearer ${service.tokenOf(sub)}` };
  return ask(`${service.url}/api/journal${query}`, { headers });
}

/** Whom the entries of a page are about. */
async function told(query = ''): Promise<(string | null)[]> {
  const { status, text } = await read(query);
  expect(status).toBe(200);
  return (JSON.parse(text) as JournalPageDto).entries.map(({ user }) => user);
}

async function fallbacks(): Promise<number> {
  const { text } = await ask(`${service.url}/metrics`);
  return Number(/^database_replica_fallbacks_total (\d+)$/m.exec(text)?.[1]);
}

const FROM_REPLICA = ['replica', 'replica', 'replica', 'replica', 'replica'];
const FROM_PRIMARY = ['primary', 'primary', 'primary', 'primary', 'primary'];
const becomes = (users: string[]) => eventually(async () => expect(await told()).toEqual(users));

describe('with DATABASE_REPLICA_URLS', () => {
  it('the journal is read from a replica', async () => {
    await becomes(FROM_REPLICA);
    expect(await told('?user=primary')).toEqual([]);
  });

  it('the deleted users are read from the database, because guards of other services refuse them', async () => {
    await becomes(FROM_REPLICA);
    expect(await told('?action=user.deleted')).toEqual(['primary']);
  });

  it('a later page is read from the database, so that it leaves nothing out', async () => {
    await becomes(FROM_REPLICA);
    const [newest]: { moment: string }[] = await service.dataSource.query(
      'SELECT max(moment) AS moment FROM journal_changes',
    );
    const cursor = JournalCursor.write({ moment: newest?.moment ?? '', position: 1 });
    const before = await fallbacks();
    expect(await told(`?cursor=${cursor}`)).toEqual(FROM_PRIMARY.slice(1));
    expect(await fallbacks()).toBe(before);
    expect(await told()).toEqual(FROM_REPLICA);
  });

  it('callers are looked up in the database, not in a replica', async () => {
    await beside.directory.user('zoe', { type: 'administrator' });
    await service.directory.user('zoe', { type: 'administrator', status: 'inactive' });
    await beside.directory.user('ben', { type: 'administrator' });
    await service.directory.user('ben', { type: 'manager' });
    await beside.directory.user('cyd', { type: 'administrator' });
    await becomes(FROM_REPLICA);
    const statuses = await Promise.all(['zoe', 'ben', 'cyd'].map(async (sub) => (await read('', sub)).status));
    expect(statuses).toEqual([401, 403, 401]);
  });

  it('the journal is read from the database as soon as the replica is away, and from the replica when it is back', async () => {
    await becomes(FROM_REPLICA);
    await replica.cut();
    const began = performance.now();
    for (let reads = 0; reads < 5; reads++) expect(await told()).toEqual(FROM_PRIMARY);
    expect(performance.now() - began).toBeLessThan(4_900);
    await replica.mend();
    await becomes(FROM_REPLICA);
  });

  it('a replica that does not answer delays reads only briefly, and not at all once that is known', async () => {
    await becomes(FROM_REPLICA);
    replica.freeze();
    const began = performance.now();
    expect(await told()).toEqual(FROM_PRIMARY);
    expect(performance.now() - began).toBeLessThan(15_000);
    const known = performance.now();
    expect(await told()).toEqual(FROM_PRIMARY);
    expect(performance.now() - known).toBeLessThan(2_900);
    replica.thaw();
    await becomes(FROM_REPLICA);
  });

  it('the journal is read from the database while the schema of the replica is older', async () => {
    await becomes(FROM_REPLICA);
    await beside.dataSource.query('ALTER TABLE journal_changes RENAME TO not_yet');
    const before = await fallbacks();
    for (let reads = 0; reads < 3; reads++) expect(await told()).toEqual(FROM_PRIMARY);
    expect(await fallbacks()).toBe(before + 3);
    await beside.dataSource.query('ALTER TABLE not_yet RENAME TO journal_changes');
    await becomes(FROM_REPLICA);
  });

  it('a replica of another directory is not read, even if its journal is longer', async () => {
    await becomes(FROM_REPLICA);
    await beside.dataSource.query('ALTER TABLE journal_changes DISABLE TRIGGER USER');
    await beside.dataSource.query(`UPDATE journal_changes SET hash = '\\x00' || hash`);
    const before = await fallbacks();
    for (let reads = 0; reads < 3; reads++) expect(await told()).toEqual(FROM_PRIMARY);
    expect(await fallbacks()).toBe(before + 3);
    await beside.dataSource.query('UPDATE journal_changes SET hash = substr(hash, 2)');
    await beside.dataSource.query('ALTER TABLE journal_changes ENABLE TRIGGER USER');
    await becomes(FROM_REPLICA);
  });

  it('nothing is written to a replica', async () => {
    await becomes(FROM_REPLICA);
    const before = await beside.directory.state();
    const answer = await assign(service, service.tokenOf('ada'), { userIds: ['ben'], workspaces: ['atlas'] });
    expect(answer.status).toBe(200);
    expect(await beside.directory.state()).toEqual(before);
    expect((await service.directory.state()).workspaces).toEqual(['ben in atlas']);
    expect(await told()).toEqual(FROM_REPLICA);
  });
});
