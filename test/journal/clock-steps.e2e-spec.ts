import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { ask } from '../support/ask';
import { Sealer } from '../../src/journal/sealer';
import { DeliveryWorker } from '../../src/plugins/webhooks/delivery-worker';
import { sealed } from '../support/sealed';
import { useTestService } from '../support/test-service';

const service = useTestService();
const HOUR_S = 3_600;

beforeAll(async () => {
  // Here the test seals, once the clock has stepped.
  await service.app.get(Sealer).beforeApplicationShutdown();
  await service.app.get(DeliveryWorker).stop();
  await service.directory.permission('read', 'member');
  await service.directory.user('ben', { permissions: ['read'] });
});

/** An actor grants or revokes a permission of Ben, while the clock is behind by so many seconds. */
async function change(actor: string, before: string[], after: string[], behindSeconds = 0): Promise<void> {
  const { dataSource } = service;
  await dataSource.query(
    `SELECT journal_append_changes('user', $1, NULL, NULL, NULL, NULL, ARRAY[
       ROW('user.permissions.changed', '{ben}', NULL, $2, $3)::journal_new_change])`,
    [actor, JSON.stringify({ permissions: before }), JSON.stringify({ permissions: after })],
  );
  await dataSource.query(`UPDATE journal_inbox SET at = at - $1 * interval '1 s'`, [behindSeconds]);
  await sealed(dataSource);
}

async function get<Body>(path: string): Promise<Body> {
  const { text } = await ask(`${service.url}/api${path}`, {
    headers: { authorization: `Bearer ${service.serviceToken()}` },
  });
  return JSON.parse(text) as Body;
}

const actorsOf = ({ entries }: JournalPageDto) => entries.map(({ actor }) => actor.id);

describe('after the clock was set back,', () => {
  it('by a second, a permission is held because of the last one who granted it', async () => {
    await change('eve', [], ['read']);
    await service.directory.workspace('atlas');
    await service.directory.permission('edit', 'member');
    const given = (actor: string, statement: string) =>
      service.dataSource.transaction(async (manager) => {
        await manager.query(statement);
        await manager.query(
          `SELECT journal_append_changes('user', $1, NULL, NULL, NULL, NULL, ARRAY[
             ROW('workspace.permissions.changed', NULL, '{atlas}', '{}', '{}')::journal_new_change])`,
          [actor],
        );
      });
    await given(
      'eve',
      `INSERT INTO workspace_memberships (user_key, workspace_key)
       SELECT u.key, w.key FROM users AS u, workspaces AS w WHERE u.id = 'ben'`,
    );
    await given(
      'zoe',
      `INSERT INTO workspace_permissions (workspace_key, permission_key, since)
       SELECT w.key, p.key, now() - interval '1 s' FROM workspaces AS w, permissions AS p WHERE p.id = 'edit'`,
    );
    await sealed(service.dataSource);
    const { permissions } = await get<{ permissions: { sources: { actor: { id: string } }[] }[] }>(
      '/users/ben/permissions',
    );
    expect(permissions[0]?.sources[0]?.actor.id).toBe('zoe');
  });

  it('by two hours, pages of the journal stay as they are, and every entry is found by its time', async () => {
    const before = await get<JournalPageDto>('/journal?limit=2');
    const rest = await get<JournalPageDto>(`/journal?cursor=${before.next}`);
    const { next } = await get<JournalPageDto>('/journal?after=now');
    const began = new Date(Date.now() - HOUR_S * 1_000).toISOString();
    for (const actor of ['fay', 'gus']) await change(actor, [], ['read'], 2 * HOUR_S);
    await change('hal', [], ['read']);

    expect(await get(`/journal?cursor=${before.next}`)).toEqual(rest);
    expect(actorsOf(await get('/journal?limit=5'))).toEqual(['hal', 'gus', 'fay', ...actorsOf(before)]);
    expect(actorsOf(await get(`/journal?after=${next}`))).toEqual(['fay', 'gus', 'hal']);
    expect(actorsOf(await get(`/journal?to=${began}`))).toEqual(['gus', 'fay']);
    expect(actorsOf(await get(`/journal?from=${began}`))).toEqual(['hal', ...actorsOf(before), ...actorsOf(rest)]);
  });

  it('the first attempt of a delivery does not wait for it', async () => {
    const { dataSource } = service;
    await dataSource.query(`
      WITH webhook AS (INSERT INTO webhook_subscriptions (id, url, events, secret) VALUES ('w', 'https://example.com', '{user.permissions.changed}', ''))
      INSERT INTO webhook_positions SELECT 'w', position FROM journal_head`);
    await change('ida', [], ['read'], 2 * HOUR_S);
    await dataSource.query(`SELECT expand_deliveries('w')`);
    expect(await dataSource.query('SELECT next_attempt_at::text AS due FROM webhook_deliveries')).toEqual([
      { due: '-infinity' },
    ]);
  });
});
