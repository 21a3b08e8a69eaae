import { readFileSync } from 'node:fs';
import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import type { NewEntry } from '../../src/journal/new-entry';
import { Journal } from '../../src/journal/journal';
import { verifyJournal } from '../../src/journal/verify-journal';
import { type EventRow, webhookEvent } from '../../src/plugins/webhooks/webhook-event';
import { asJudged } from '../support/as-judged';
import { ask } from '../support/ask';
import { useTestService } from '../support/test-service';
import { WEBHOOK_ACTIONS } from '../../src/plugins/webhooks/actions';

const SECRET = 'T0/B0/XXXXsecret?token=XXXXsecret';
const [WHOLE, MOVED, ORIGIN] = [
  `https://hooks.slack.example:8443/${SECRET}`,
  `https://[2001:db8::1]/${SECRET}`,
  'https://hooks.slack.example:8443',
];
const RECOVER = readFileSync('docs/recover.md', 'utf8');
const service = useTestService({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });

beforeAll(() => service.directory.user('ada', { type: 'administrator' }));

async function call(method: string, path: string, body?: object, token = service.tokenOf('ada')): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await ask(`${service.url}/api${path}`, { method, headers, body: body && JSON.stringify(body) });
  expect(answer.status).toBeLessThan(300);
  return answer.text;
}

const told = async (query: string, token?: string) => {
  const text = await call('GET', `/journal?${query}`, undefined, token);
  expect(text).not.toContain('XXXXsecret');
  return (JSON.parse(text) as JournalPageDto).entries.map(({ action, before, after }) => ({ action, before, after }));
};

const append = (entry: NewEntry) =>
  service.dataSource.transaction((manager) =>
    service.app.get(Journal).append(manager, asJudged({ actor: { kind: 'user', id: 'ada' } }), [entry]),
  );

describe('the address of a webhook in the journal', () => {
  it('is its origin alone, in the database as well; a change of the path alone is an entry', async () => {
    const events = ['user.created'];
    const { id } = JSON.parse(await call('POST', '/webhooks', { url: WHOLE, events, enabled: false })) as {
      id: string;
    };
    await call('PATCH', `/webhooks/${id}`, { url: `${WHOLE}2` });
    await call('PATCH', `/webhooks/${id}`, { url: `${WHOLE}2` });
    await call('DELETE', `/webhooks/${id}`);
    const facts = { webhook: id, url: ORIGIN, events, enabled: false };
    expect(await told('limit=3')).toEqual([
      { action: 'webhook.deleted', before: facts, after: null },
      { action: 'webhook.updated', before: facts, after: facts },
      { action: 'webhook.created', before: null, after: facts },
    ]);
    const rows: object[] = await service.dataSource.query('SELECT * FROM journal_changes');
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(rows)).not.toContain('XXXXsecret');
  });

  it('is cut wherever an entry of an earlier release is read, which verification still finds whole', async () => {
    const { next } = JSON.parse(await call('GET', '/journal?after=now')) as JournalPageDto;
    const waiting = call('GET', `/journal?after=${next}&wait=25`);
    const before = { webhook: 'w', url: WHOLE, events: [], enabled: true };
    await append(WEBHOOK_ACTIONS.entry('webhook.updated', { before, after: { ...before, url: MOVED } }));
    await append(WEBHOOK_ACTIONS.entry('webhook.deleted', { before: { ...before, url: `no address: //${SECRET}` } }));
    const cut = { ...before, url: ORIGIN };
    const updated = { action: 'webhook.updated', before: cut, after: { ...cut, url: 'https://[2001:db8::1]' } };
    const deleted = { action: 'webhook.deleted', before: { ...cut, url: '' }, after: null };
    expect(await waiting).not.toContain('XXXXsecret');
    for (const token of [service.tokenOf('ada'), service.tokenOf('auditor', { scope: 'users:read' })]) {
      expect(await told(`after=${next}`, token)).toEqual([updated, deleted]);
      expect(await told('limit=2', token)).toEqual([deleted, updated]);
      expect(await told('limit=2&brief=true', token)).toHaveLength(2);
    }
    expect((await verifyJournal(service.dataSource)).broken).toBeUndefined();

    const [, advice = ''] = /```sql\n(SELECT position, at, action FROM journal_changes[^`]+)```/.exec(RECOVER) ?? [];
    const found: { action: string }[] = await service.dataSource.query(advice);
    expect(found.map(({ action }) => action).sort()).toEqual(['webhook.deleted', 'webhook.updated']);
  });

  it('is cut in an event as well', () => {
    const row = {
      action: 'webhook.created',
      at: new Date(),
      workspace_ids: [],
      before: { url: WHOLE },
      after: { url: WHOLE },
    };
    const event = webhookEvent({ subscriptionId: 's', entryId: '1' }, row as unknown as EventRow);
    expect([event.data.before, event.data.after]).toEqual([{ url: ORIGIN }, { url: ORIGIN }]);
  });
});
