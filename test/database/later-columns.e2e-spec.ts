import { ask, post, STATUS_UPDATED } from '../support/ask';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

/** Changes, in this order, and the status of each answer. */
const CHANGES: [method: string, path: string, body: object | undefined, status: number][] = [
  ['POST', 'users/workspace-assign', { userIds: ['ben'], workspaces: ['atlas'], groups: ['atlas-managers'] }, 200],
  ['POST', 'users/status-assign', { userIds: ['ben', 'max'], status: 'inactive' }, 200],
  ['POST', 'users/status-tokens', { id: 'ben', status: 'active' }, 200],
  ['POST', 'users/workspace-unassign', { userIds: ['ben'], workspaces: ['atlas'] }, 200],
  ['POST', 'users', { id: 'dee', workspaces: ['atlas'], permissions: ['read'] }, 201],
  ['PATCH', 'users/dee', { displayName: 'Dee', permissions: ['manage'] }, 200],
  ['PATCH', 'workspaces/atlas', { name: 'Atlas', permissions: [] }, 200],
  ['PATCH', 'groups/atlas-managers', { name: 'Managers' }, 200],
  ['PATCH', 'permissions/manage', { grants: 'member' }, 200],
  ['POST', 'webhooks', { url: 'https://example.com/events', events: ['user.created'] }, 201],
  ['DELETE', 'permissions/read', undefined, 204],
  ['DELETE', 'groups/atlas-managers', undefined, 204],
  ['DELETE', 'workspaces/atlas', undefined, 204],
  ['DELETE', 'users/dee', undefined, 204],
];

describe('a database to which a later release has added columns', () => {
  const service = useTestService();

  beforeAll(async () => {
    const { dataSource } = service;
    const tables: { name: string }[] = await dataSource.query(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    // One transaction each, because the service seals its journal meanwhile.
    for (const { name } of tables) await dataSource.query(`ALTER TABLE ${name} ADD COLUMN later text`);
    await writeSmallDirectory(service);
  });

  it('works with this release, which can run beside the later one', async () => {
    const authorization = `Bearer ${service.tokenOf('ada')}`;
    const url = `${service.url}/api`;
    for (const [method, path, body, status] of CHANGES) {
      const headers = { authorization, 'content-type': 'application/json' };
      const answer = await ask(`${url}/${path}`, { method, headers, body: body && JSON.stringify(body) });
      expect(`${method} ${path}: ${answer.status}`).toBe(`${method} ${path}: ${status}`);
    }
    const toggled = await post(
      `${url}/users/manage-status`,
      { id: 'max', token: service.tokenOf('zoe') },
      { authorization },
    );
    expect(toggled.text).toBe(STATUS_UPDATED);
    const { text } = await ask(`${url}/journal?limit=200`, { headers: { authorization } });
    expect((JSON.parse(text) as { entries: object[] }).entries.length).toBeGreaterThan(CHANGES.length);
  });
});
