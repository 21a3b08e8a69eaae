import { LIMITS } from '../../src/contract/limits';
import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { type FoundChange, pageOf } from '../../src/journal/journal-reader';
import { useTestService } from '../support/test-service';
import { getPage, walkPages } from '../support/walk-pages';

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
  it('ends at 1 MiB, forwards and backwards, and no entry is lost between two of them', async () => {
    const { body: present } = await getPage<JournalPageDto>(service, '/api/journal?after=now');
    await deactivate(LIMITS.journalBriefPage + 1, 'gen_random_uuid()::text');
    for (const way of [
      `after=${present.next}&action=user.status.changed&action=user.deleted`,
      'action=user.status.changed',
    ]) {
      const query = `/api/journal?${way}&brief=true&limit=10000`;
      const { body, bytes, link } = await getPage<JournalPageDto>(service, query);
      // As many as the client takes for a page that was not cut by a proxy.
      expect(body.entries.length).toBeGreaterThanOrEqual(500);
      expect(body.entries[0]).toMatchObject({ workspaces: [], after: { status: 'inactive' } });
      expect(bytes).toBeLessThanOrEqual(1024 * 1024 + 8_192);
      expect(link).not.toBeNull();
    }
    const pages = await walkPages<JournalPageDto>(
      service,
      '/api/journal?action=user.status.changed&brief=true&limit=10000',
    );
    const ids = pages.flatMap(({ entries }) => entries.map(({ id }) => Number(id)));
    expect(ids).toHaveLength(LIMITS.journalBriefPage + 1);
    expect(ids.every((id, at) => at === 0 || id === (ids[at - 1] as number) - 1)).toBe(true);
  });

  it('ends when making it takes long, but never before 500 entries', () => {
    const users = Array.from({ length: 5_000 }, (_, n) => `u${n}`);
    const change = {
      action: 'user.status.changed',
      at: new Date(0),
      position: 1,
      user_ids: users,
      bytes: 200,
      workspace_ids: [],
    } as unknown;
    const shape = { limit: 10_000, isForward: true, brief: true };
    const page = () => pageOf([change as FoundChange], { after: 0, until: 5_000 }, shape);
    const now = jest.spyOn(performance, 'now');
    let time = 0;
    now.mockImplementation(() => (time += 20));
    // Begun, then judged after 500 and after 1,000 entries.
    expect(page()).toMatchObject({ entries: { length: 1_000 }, end: 1_000 });
    now.mockImplementation(() => (time += 1_000));
    expect(page()).toMatchObject({ entries: { length: 500 }, end: 500 });
    now.mockRestore();
  });
});
