import { verifyJournal } from '../../src/journal/verify-journal';
import { call } from '../support/record-calls';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const service = useTestService();
/** Each test has ids of its own, because the journal stays. */
let test = 0;

beforeEach(async () => {
  await writeSmallDirectory(service);
  test += 1;
});
afterEach(async () => expect((await verifyJournal(service.dataSource)).broken).toBeUndefined());

const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  call(service, method, path, { body, headers });
const at = (id: string) => `/api/users/${id}-${test}`;

/** Everything that happens to ids, by one word each. A person's name stands in every fact and reason about the person. */
const create = async (id: string, person: string) => {
  const email = `${person}-${test}@example.com`;
  expect(
    (await send('POST', '/api/users', { id: `${id}-${test}`, email, displayName: `${person} ${test}` })).status,
  ).toBe(201);
  await send('POST', '/api/users/workspace-assign', {
    userIds: [`${id}-${test}`],
    workspaces: ['atlas'],
    reason: `About ${person} ${test}`,
  });
};
const rename = async (from: string, to: string) =>
  expect((await send('POST', `${at(from)}/rename`, { id: `${to}-${test}` })).status).toBe(200);
const remove = async (id: string) => expect((await send('DELETE', at(id))).status).toBe(204);
const erase = async (id: string, erase: 'true' | 'former' = 'true', headers?: Record<string, string>) =>
  (await send('DELETE', `${at(id)}?erase=${erase}`, undefined, headers)).status;

/** Which of these names the journal still has. */
async function told(...people: string[]): Promise<string[]> {
  const { body } = await send('GET', '/api/journal?limit=200');
  const text = JSON.stringify(body);
  return people.filter((person) => new RegExp(`${person}[- ]${test}[@"]`).test(text));
}
const lives = async (id: string) => (await send('GET', at(id))).status === 200;

describe.each(['at once', 'when all is sealed'])('an id that was used twice, erased %s', (when) => {
  const settle = async () => void (when === 'at once' || (await send('GET', '/api/journal?limit=1')));

  it('reaches who came by it and who got it afterwards', async () => {
    await create('x1', 'Pia');
    await rename('x1', 'x2');
    await remove('x2');
    await create('x2', 'Quinn');
    await remove('x2');
    await create('x3', 'Rosa');
    await settle();
    expect(await erase('x2')).toBe(204);
    expect(await told('Pia', 'Quinn', 'Rosa')).toEqual(['Rosa']);
    expect([await erase('x1'), await erase('x2'), await erase('x2', 'former')]).toEqual([204, 204, 204]);
  });

  it('reaches by the first id of a chain who was deleted under the last, and nobody who got that later', async () => {
    await create('x1', 'Pia');
    await rename('x1', 'x2');
    await rename('x2', 'x3');
    await remove('x3');
    await create('x3', 'Quinn');
    await create('x2', 'Rosa');
    await settle();
    expect(await erase('x1')).toBe(204);
    expect(await told('Pia', 'Quinn', 'Rosa')).toEqual(['Quinn', 'Rosa']);
    expect([await lives('x3'), await lives('x2')]).toEqual([true, true]);
  });

  it('spares with former who bears it now, and deletes them without', async () => {
    await create('jsmith', 'Jane');
    await remove('jsmith');
    await create('jsmith', 'John');
    await settle();
    expect(await erase('jsmith', 'former')).toBe(204);
    expect([await told('Jane', 'John'), await lives('jsmith')]).toEqual([['John'], true]);
    expect(await erase('jsmith', 'former')).toBe(204);
    expect(await erase('jsmith')).toBe(204);
    expect([await told('Jane', 'John'), await lives('jsmith')]).toEqual([[], false]);
  });

  it('spares who lives under another id by now, with the history under this one', async () => {
    await create('y1', 'Yana');
    await remove('y1');
    await create('y1', 'Yara');
    await rename('y1', 'y2');
    await settle();
    expect(await erase('y1')).toBe(204);
    expect([await told('Yana', 'Yara'), await lives('y2')]).toEqual([['Yara'], true]);
    expect(await erase('y2', 'former')).toBe(404);
    expect(await erase('y2')).toBe(204);
    expect(await told('Yana', 'Yara')).toEqual([]);
  });

  it('is unknown if everybody who bore it lives under another, and if nobody has gone', async () => {
    await create('z1', 'Zoe');
    await rename('z1', 'z2');
    await settle();
    expect([await erase('z1'), await erase('z1', 'former'), await erase('z2', 'former')]).toEqual([404, 404, 404]);
    await rename('z2', 'z1');
    expect([await erase('z2'), await erase('z1', 'former')]).toEqual([404, 404]);
    expect([await told('Zoe'), await lives('z1')]).toEqual([['Zoe'], true]);
    await rename('z1', 'z3');
    await remove('z3');
    expect(await erase('z2')).toBe(204);
    expect(await told('Zoe')).toEqual([]);
  });

  it('follows two who swapped their ids, each to their own facts', async () => {
    await create('a', 'Anna');
    await create('b', 'Bill');
    await rename('a', 'c');
    await rename('b', 'a');
    await rename('c', 'b');
    await remove('b');
    await settle();
    expect(await erase('c')).toBe(204);
    expect([await told('Anna', 'Bill'), await lives('a')]).toEqual([['Bill'], true]);
    expect(await erase('b', 'former')).toBe(204);
    expect([await told('Anna', 'Bill'), await lives('a')]).toEqual([['Bill'], true]);
  });
});

it('a false precondition erases nobody, and comes after the 404', async () => {
  await create('p', 'Pia');
  await remove('p');
  await create('p', 'Quinn');
  expect(await erase('p', 'former', { 'if-match': '"x"' })).toBe(412);
  expect(await erase('p', 'former', { 'if-none-match': '*' })).toBe(412);
  expect(await told('Pia', 'Quinn')).toEqual(['Pia', 'Quinn']);
  const etag = (await send('GET', at('p'))).headers.get('etag') ?? '';
  expect(await erase('p', 'former', { 'if-match': etag })).toBe(204);
  await create('q', 'Rosa');
  expect(await erase('q', 'former', { 'if-match': '"x"' })).toBe(404);
});

it('a verification excuses the facts of nobody whom an erasure spares', async () => {
  await create('v', 'Vera');
  await remove('v');
  await create('v', 'Vic');
  await rename('v', 'w');
  expect(await erase('v')).toBe(204);
  const row = `journal_personal WHERE position = (
    SELECT max(position) FROM journal_changes WHERE user_id = 'v-${test}' AND action = 'user.created')`;
  const [{ lost }]: [{ lost: string }] = await service.dataSource.query(
    `SELECT row_to_json(journal_personal)::text AS lost FROM ${row}`,
  );
  await service.dataSource.query(`DELETE FROM ${row}`);
  expect((await verifyJournal(service.dataSource)).broken).toMatch(/its reason or personal facts are missing/);
  await service.dataSource.query(
    'INSERT INTO journal_personal SELECT (json_populate_record(NULL::journal_personal, $1::json)).*',
    [lost],
  );
});
