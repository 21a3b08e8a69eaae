import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { useTestService } from '../support/test-service';
import type { DeliveryDto } from '../../src/plugins/webhooks/dto/delivery.dto';
import type { WebhookDto } from '../../src/plugins/webhooks/dto/webhook.dto';
import { type Answer, ask, post } from '../support/ask';
import { openApiFile } from '../support/declared-answers';
import { writeSmallDirectory } from '../support/small-directory';

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1/';

const service = useTestService({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
let token: string;

beforeAll(async () => {
  await writeSmallDirectory(service);
  token = service.tokenOf('ada');
});

function send(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return post(service.url + path, body, { authorization: `Bearer ${token}`, ...headers });
}

async function get<T>(path: string): Promise<T> {
  return JSON.parse((await ask(service.url + path, { headers: { authorization: `Bearer ${token}` } })).text) as T;
}

async function webhook(): Promise<WebhookDto> {
  return JSON.parse(
    (await send('/api/webhooks', { url: NOWHERE, events: ['user.status.changed'] })).text,
  ) as WebhookDto;
}

async function delivery(): Promise<string> {
  const path = `/api/webhooks/${(await webhook()).id}/deliveries`;
  await send('/api/users/manage-status', { id: 'ben', token });
  for (;;) {
    const [first] = (await get<{ deliveries: DeliveryDto[] }>(path)).deliveries;
    if (first) return `${path}/${first.id}/replay`;
  }
}

async function undoing(): Promise<string> {
  await send('/api/users/workspace-assign', { userIds: ['cyd'], workspaces: ['borealis'] });
  const { entries } = await get<JournalPageDto>('/api/journal?user=cyd&limit=1');
  return `/api/journal/${entries[0]?.id}/undo`;
}

const FILE = '{"workspace":{"id":"imported","name":"Imported"}}\n';

/** A right request to every route that takes a POST: where to, and what. */
const REQUESTS: Record<string, () => Promise<[path: string, body: unknown, headers?: Record<string, string>]>> = {
  '/api/users/workspace-assign': () =>
    Promise.resolve(['/api/users/workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] }]),
  '/api/users/workspace-unassign': () =>
    Promise.resolve(['/api/users/workspace-unassign', { userIds: ['ben'], workspaces: ['atlas'] }]),
  '/api/users/status-assign': () =>
    Promise.resolve(['/api/users/status-assign', { userIds: ['max'], status: 'inactive' }]),
  '/api/users/manage-status': () => Promise.resolve(['/api/users/manage-status', { id: 'ben', token }]),
  '/api/users/status-tokens': () => Promise.resolve(['/api/users/status-tokens', { id: 'ben', status: 'active' }]),
  '/api/users/{id}/rename': () => Promise.resolve(['/api/users/max/rename', { id: 'maxim' }]),
  '/api/users': () => Promise.resolve(['/api/users', {}]),
  '/api/workspaces': () => Promise.resolve(['/api/workspaces', { name: 'Delta' }]),
  '/api/groups': () => Promise.resolve(['/api/groups', { name: 'Readers', workspace: 'atlas' }]),
  '/api/permissions': () => Promise.resolve(['/api/permissions', { grants: 'member' }]),
  '/api/journal/{id}/undo': async () => [await undoing(), {}],
  '/api/scim-connections': () => Promise.resolve(['/api/scim-connections', { name: 'Okta', workspace: 'atlas' }]),
  '/api/scim-connections/{id}/token': async () => {
    const made = await send('/api/scim-connections', { name: 'Okta', workspace: 'atlas' });
    return [`/api/scim-connections/${(JSON.parse(made.text) as { id: string }).id}/token`, ''];
  },
  '/api/imports': () => Promise.resolve(['/api/imports', FILE, { 'content-type': 'application/x-ndjson' }]),
  '/api/webhooks': () => Promise.resolve(['/api/webhooks', { url: NOWHERE, events: ['user.status.changed'] }]),
  '/api/webhooks/{id}/secret': async () => [`/api/webhooks/${(await webhook()).id}/secret`, ''],
  '/api/webhooks/{id}/deliveries/{deliveryId}/replay': async () => [await delivery(), ''],
};

const posts = Object.entries(openApiFile.paths).flatMap(([path, { post: operation }]) => (operation ? [path] : []));

describe('every POST with an Idempotency-Key', () => {
  it('is covered by this test', () => {
    expect(Object.keys(REQUESTS).toSorted()).toEqual(posts.toSorted());
  });

  it.each(Object.keys(REQUESTS))('takes effect once: %s', async (route) => {
    const [path, body, headers] = (await REQUESTS[route]?.()) ?? ['', ''];
    const key = { 'idempotency-key': route.replaceAll(/\W/g, '-'), ...headers };
    const first = await send(path, body, key);
    const again = await send(path, body, key);
    expect([200, 201]).toContain(first.status);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again).toMatchObject({ status: first.status, text: first.text });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});
