import { LIMITS } from '../../src/contract/limits';
import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { useTestService } from '../support/test-service';
import { costly, getPage, walkPages } from '../support/walk-pages';

const service = useTestService();

beforeAll(async () => {
  await service.directory.user('ada', { type: 'administrator' });
});

/** So many users are deactivated by one request, in changes of a thousand. */
const deactivate = (count: number, id: string) =>
  service.dataSource.query(
    `SELECT journal_append_changes('user', 'ada', NULL, NULL, gen_random_uuid()::text, NULL, ARRAY[
       ROW('user.status.changed', (SELECT array_agg(${id} ORDER BY n) FROM generate_series(1, $1::integer) AS n), NULL,
         '{"status": "active"}', '{"status": "inactive"}')::journal_new_change])`,
    [count],
  );

describe('a page of brief entries', () => {
  it('has 10,000 of them, forwards and backwards, and the next one follows', async () => {
    const { body: present } = await getPage<JournalPageDto>(service, '/api/journal?after=now');
    await deactivate(LIMITS.journalBriefPage + 1, 'gen_random_uuid()::text');
    for (const way of [
      `after=${present.next}&action=user.status.changed&action=user.deleted`,
      'action=user.status.changed',
    ]) {
      const query = `/api/journal?${way}&brief=true&limit=10000`;
      const { body, bytes, link } = await getPage<JournalPageDto>(service, query);
      expect(body.entries).toHaveLength(LIMITS.journalBriefPage);
      expect(body.entries[0]).toMatchObject({ workspaces: [], after: { status: 'inactive' } });
      expect(bytes).toBeLessThanOrEqual(LIMITS.pageBytes);
      expect(link).not.toBeNull();
    }
  });

  it('ends at 4 MiB, and no entry is lost between two of them', async () => {
    await deactivate(6_000, costly('u'));
    const query = `/api/journal?action=user.status.changed&brief=true&limit=10000`;
    const pages = await walkPages<JournalPageDto>(service, query);
    expect(pages.length).toBeLessThanOrEqual(5);
    const ids = pages.flatMap(({ entries }) => entries.map(({ id }) => Number(id)));
    expect(ids).toHaveLength(LIMITS.journalBriefPage + 1 + 6_000);
    expect(ids.every((id, at) => at === 0 || id === (ids[at - 1] as number) - 1)).toBe(true);
  });
});
