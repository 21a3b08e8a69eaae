import { randomUUID } from 'node:crypto';
import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { call } from '../support/record-calls';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const REFUSED = { status: 400, message: 'Please give a reason of 1 to 500 characters.' };
const MALFORMED = { status: 400, message: 'Please give a valid value for the query parameter reason.' };

const service = useTestService();

beforeEach(() => writeSmallDirectory(service));

const CHANGES: [method: string, path: string, body: object | undefined, entries: number][] = [
  ['POST', 'users', { id: 'nia', workspaces: ['atlas'] }, 2],
  ['PATCH', 'users/ben', { displayName: 'Ben', permissions: ['manage'] }, 3],
  ['DELETE', 'users/ben', undefined, 1],
  ['POST', 'workspaces', { id: 'delta', name: 'Delta', permissions: ['read'] }, 2],
  ['PATCH', 'workspaces/atlas', { name: 'Atlas', permissions: ['manage'] }, 3],
  ['DELETE', 'workspaces/atlas', undefined, 3],
  ['POST', 'groups', { id: 'team', name: 'Team', workspace: 'atlas' }, 1],
  ['PATCH', 'groups/atlas-managers', { name: 'Team' }, 1],
  ['DELETE', 'groups/atlas-managers', undefined, 1],
  ['POST', 'permissions', { id: 'new', grants: 'guest' }, 1],
  ['PATCH', 'permissions/read', { description: 'Read' }, 1],
  ['DELETE', 'permissions/read', undefined, 2],
];

async function entriesOf(requestId: string): Promise<JournalPageDto['entries']> {
  const { entries } = (await call(service, 'GET', '/api/journal?limit=100')).body as JournalPageDto;
  return entries.filter((entry) => entry.requestId === requestId);
}

const send = (method: string, path: string, query: string, body?: object, requestId: string = randomUUID()) =>
  call(service, method, `/api/${path}${query}`, { body, headers: { 'x-request-id': requestId } });

describe.each(CHANGES)('%s /api/%s', (method, path, body, entries) => {
  it('keeps ?reason= in every entry of the request', async () => {
    await service.directory.member('cyd', 'atlas');
    const reason = `Für ${'\u{1f600}'.repeat(496)}`;
    const answer = await send(method, path, `?reason=${encodeURIComponent(reason)}`, body);
    expect(answer.status).toBe({ POST: 201, PATCH: 200, DELETE: 204 }[method]);
    const made = await entriesOf(answer.headers.get('x-request-id') as string);
    expect(made.length).toBeGreaterThanOrEqual(entries);
    expect(made.map((entry) => entry.reason)).toEqual(made.map(() => reason));
  });

  it('refuses any other, and changes nothing', async () => {
    const rows = await everyRow(service);
    for (const bad of ['', 'x'.repeat(501), 'a%00b'])
      expect([bad, (await send(method, path, `?reason=${bad}`, body)).body]).toEqual([bad, REFUSED]);
    expect((await send(method, path, '?reason=a&reason=b', body)).body).toEqual(MALFORMED);
    expect(await everyRow(service)).toEqual(rows);
  });
});

it('a renaming has its reason in the body alone', async () => {
  const answer = await send('POST', 'users/ben/rename', '?reason=Why', { id: 'benedict' });
  expect(answer.body).toEqual({ status: 400, message: 'There is no query parameter reason here.' });
});

it('with an erasure, it stands in the entry of the erasure alone, until a later one', async () => {
  const erase = (requestId: string, reason: string) =>
    call(service, 'DELETE', `/api/users/ben?erase=true&reason=${reason}`, { headers: { 'x-request-id': requestId } });
  await call(service, 'PATCH', '/api/users/ben?reason=Before', { body: { displayName: 'Ben' } });
  expect((await erase('first', 'Asked%20for')).status).toBe(204);
  const told = async (requestId: string) =>
    (await entriesOf(requestId)).map(({ action, reason, erased }) => [action, reason, erased]);
  expect(await told('first')).toEqual([
    ['user.erased', 'Asked for', undefined],
    ['user.deleted', null, true],
  ]);
  expect((await erase('second', 'Again')).status).toBe(204);
  expect(await told('second')).toEqual([['user.erased', 'Again', undefined]]);
  expect(await told('first')).toEqual([
    ['user.erased', null, true],
    ['user.deleted', null, true],
  ]);
});

it('a dry run keeps none, and SCIM ignores the parameter as any that it does not know', async () => {
  const dryRun = await send('DELETE', 'users/ben', '?dryRun=true&reason=Why');
  expect(dryRun.status).toBe(200);
  expect(await entriesOf(dryRun.headers.get('x-request-id') as string)).toEqual([]);
  const { body } = await call(service, 'POST', '/api/scim-connections', { body: { name: 'Okta', workspace: 'atlas' } });
  const made = await fetch(`${service.url}/scim/v2/Users?reason=${'x'.repeat(501)}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${(body as { token: string }).token}`,
      'content-type': 'application/scim+json',
      'x-request-id': 'by-scim',
    },
    body: JSON.stringify({ userName: 'nia', externalId: 'nia' }),
  });
  expect(made.status).toBe(201);
  expect((await entriesOf('by-scim')).map(({ reason }) => reason)).toEqual([null]);
});
