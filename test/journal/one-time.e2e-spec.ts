import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import type { UserRecordDto } from '../../src/users/dto/user.dto';
import { call } from '../support/record-calls';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const service = useTestService();

beforeEach(() => writeSmallDirectory(service));

async function timesOf(requestId: string): Promise<string[]> {
  const { entries } = (await call(service, 'GET', '/api/journal?limit=200')).body as JournalPageDto;
  return entries.filter((entry) => entry.requestId === requestId).map(({ at }) => at);
}

it('all entries of a transaction have one time, however long its statements take', async () => {
  const userIds = ['ben', 'cyd', 'max'];
  await call(service, 'POST', '/api/users/workspace-assign', { body: { userIds, workspaces: ['atlas'] } });
  // Each entry that is written takes some milliseconds longer.
  await service.dataSource.query(
    `CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END $$`,
  );
  await service.dataSource.query(
    `CREATE TRIGGER slowly BEFORE INSERT ON journal_inbox FOR EACH ROW EXECUTE FUNCTION slowly()`,
  );
  const headers = { 'x-request-id': 'one-deletion' };
  expect((await call(service, 'DELETE', '/api/workspaces/atlas', { headers })).status).toBe(204);
  await service.dataSource.query('DROP FUNCTION slowly CASCADE');
  const times = await timesOf('one-deletion');
  expect(times.length).toBeGreaterThan(3);
  expect(new Set(times).size).toBe(1);
});

it('it is the time that the record tells as updatedAt', async () => {
  const headers = { 'x-request-id': 'one-change' };
  const { body } = await call(service, 'PATCH', '/api/users/ben', { body: { displayName: 'Benedict' }, headers });
  expect(await timesOf('one-change')).toEqual([(body as UserRecordDto).updatedAt]);
});
