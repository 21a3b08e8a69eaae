import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { importDirectory } from '../../src/plugins/transfer/import-directory';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { verifyJournal } from '../../src/journal/verify-journal';
import { call, type RecordAnswer } from '../support/record-calls';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const SECRETS = /ben@example|Benjamin|private matter/;

const IMPORT_ACT = { actor: { kind: 'system', id: 'user-admin import' } } as const;

const service = useTestService();

beforeEach(() => writeSmallDirectory(service));

const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RecordAnswer> =>
  call(service, method, path, { body, headers });
const erase = (id: string, query = '?erase=true') => send('DELETE', `/api/users/${id}${query}`);

async function journal(query = ''): Promise<JournalPageDto['entries']> {
  return ((await send('GET', `/api/journal?limit=200${query}`)).body as JournalPageDto).entries;
}

/** A user with a history: facts, and a reason that concerned somebody else as well. */
async function makeHistory(id: string): Promise<void> {
  const user = { id, email: `${id}@example.com`, displayName: 'Benjamin' };
  expect((await send('POST', '/api/users', user, { 'idempotency-key': `make-${id}` })).status).toBe(201);
  await send('PATCH', `/api/users/${id}`, { displayName: 'Benjamin B.' });
  await send('POST', '/api/users/workspace-assign', {
    userIds: [id, 'cyd'],
    workspaces: ['atlas'],
    reason: 'a private matter',
  });
}

describe('erasing a user', () => {
  it('deletes the user, and takes email, display name and reasons out of every entry', async () => {
    await makeHistory('ben-1');
    const before = await journal('&user=ben-1');
    expect(JSON.stringify(before)).toMatch(SECRETS);
    expect([(await erase('ben-1')).status, (await erase('ben-1')).status]).toEqual([204, 204]);
    expect((await send('GET', '/api/users/ben-1')).status).toBe(404);
    const after = await journal('&user=ben-1');
    expect(after.map(({ action }) => action)).toEqual([
      'user.erased',
      'user.erased',
      'user.deleted',
      ...before.map(({ action }) => action),
    ]);
    expect(JSON.stringify(await journal())).not.toMatch(SECRETS);
    expect(after.find(({ action }) => action === 'user.created')).toEqual({
      ...before.find(({ action }) => action === 'user.created'),
      after: { status: 'active', permissions: [], workspaces: [], groups: [] },
      erased: true,
    });
    expect(after.find(({ action }) => action === 'user.erased')).toMatchObject({
      actor: { kind: 'user', id: 'ada' },
      before: null,
      after: null,
    });
    // The reason is gone for all whom the request concerned, and other entries of theirs stay.
    const ofCyd = await journal('&user=cyd');
    expect(ofCyd[0]).toMatchObject({ action: expect.any(String) as string, reason: null, erased: true });
    expect(await verifyJournal(service.dataSource)).toMatchObject({ broken: undefined });
  });

  it('erases a user who was deleted before', async () => {
    await makeHistory('ben-2');
    expect((await erase('ben-2', '')).status).toBe(204);
    expect(JSON.stringify(await journal('&user=ben-2'))).toMatch(SECRETS);
    expect((await erase('ben-2')).status).toBe(204);
    expect(JSON.stringify(await journal('&user=ben-2'))).not.toMatch(SECRETS);
  });

  it('keeps no answer that shows the user or a reason: a repetition is refused', async () => {
    await makeHistory('ben-3');
    const token = { id: 'ben-3', status: 'inactive', reason: 'a private matter' };
    const headers = { 'idempotency-key': 'token-ben-3' };
    expect((await send('POST', '/api/users/status-tokens', token, headers)).status).toBe(200);
    await erase('ben-3');
    const user = { id: 'ben-3', email: 'ben-3@example.com', displayName: 'Benjamin' };
    const again = await send('POST', '/api/users', user, { 'idempotency-key': 'make-ben-3' });
    expect([again.status, (await send('POST', '/api/users/status-tokens', token, headers)).status]).toEqual([422, 422]);
    expect((await send('GET', '/api/users/ben-3')).status).toBe(404);
  });

  it('leaves a later user with the same id alone', async () => {
    await makeHistory('ben-4');
    await erase('ben-4');
    await send('POST', '/api/users', { id: 'ben-4', displayName: 'Benita' });
    const [created] = await journal('&user=ben-4');
    expect(created).toMatchObject({ action: 'user.created', after: { displayName: 'Benita' } });
    expect(created).not.toHaveProperty('erased');
  });

  it.each(['nobody', '%00', 'x'.repeat(300)])('is refused for %s, who never was', async (id) => {
    const answer = await erase(id);
    expect([answer.status, answer.body]).toEqual([404, { status: 404, message: 'There is no such user.' }]);
  });

  it('is refused for the last active administrator, and erases nothing', async () => {
    await send('PATCH', '/api/users/ada', { email: 'ben@example.com' });
    await send('POST', '/api/users/status-assign', { userIds: ['zoe'], status: 'inactive' });
    expect((await erase('ada')).status).toBe(409);
    expect(JSON.stringify(await journal('&user=ada'))).toMatch(SECRETS);
  });

  it.each(['?erase', '?erase=yes', '?erase=true&erase=true'])('is refused with %s', async (query) => {
    expect((await erase('ben', query)).body).toEqual({
      status: 400,
      message: 'Please give a valid value for the query parameter erase.',
    });
    expect((await send('GET', '/api/users/ben')).status).toBe(200);
  });

  it('takes nothing of others out of the entries of an import, and excuses nothing of theirs that is missing', async () => {
    const all = ['ben-7', 'bea-7', 'bob-7'].map((id) => `{"user":{"id":"${id}","displayName":"Benjamin"}}`);
    await importDirectory(service.dataSource, all, IMPORT_ACT, { userTypes: service.app.get(UserTypeService) });
    await erase('ben-7');
    expect(JSON.stringify(await journal('&user=ben-7'))).not.toMatch(SECRETS);
    expect(JSON.stringify(await journal('&user=bea-7'))).toMatch(SECRETS);
    expect((await verifyJournal(service.dataSource)).broken).toBeUndefined();
    await service.dataSource.query(
      `DELETE FROM journal_personal WHERE position = (SELECT position FROM journal_changes WHERE user_id = 'bea-7')`,
    );
    expect((await verifyJournal(service.dataSource)).broken).toMatch(/its reason or personal facts are missing/);
    for (const id of ['bea-7', 'bob-7']) await erase(id);
    expect((await verifyJournal(service.dataSource)).broken).toBeUndefined();
  });

  it("is possible for the caller, whose token is then nobody's", async () => {
    await send('POST', '/api/users', { id: 'ann', email: 'ben@example.com', permissions: ['administer'] });
    expect((await call(service, 'DELETE', '/api/users/ann?erase=true', { caller: 'ann' })).status).toBe(204);
    expect((await call(service, 'GET', '/api/me', { caller: 'ann' })).status).toBe(401);
    expect(JSON.stringify(await journal('&user=ann'))).not.toMatch(SECRETS);
  });

  it('with erase=false only deletes', async () => {
    await makeHistory('ben-5');
    expect((await erase('ben-5', '?erase=false')).status).toBe(204);
    expect((await journal('&user=ben-5'))[0]).toMatchObject({
      action: 'user.deleted',
      before: { displayName: 'Benjamin B.' },
    });
  });
});

it('a verification finds personal facts that are missing without an erasure', async () => {
  await makeHistory('ben-6');
  const [entry] = await journal('&user=ben-6');
  await service.dataSource.query(
    'DELETE FROM journal_personal WHERE position = (SELECT max(position) FROM journal_personal)',
  );
  expect(entry).toBeDefined();
  expect((await verifyJournal(service.dataSource)).broken).toMatch(
    /its reason or personal facts are missing or were altered/,
  );
});
