import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { StatementLog } from '../database/statement-log';
import { type List, type Provider, ScimApi } from './scim-api';

const api = ScimApi.forEachTest();
const PAGE = 4 * 1024 * 1024;
const LARGE = 60_000;

let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
});

/** Users of the connection: `u1` to `u<count>`. */
async function write(count: number, title: string): Promise<void> {
  await api.service.dataSource.query(
    `WITH made AS (INSERT INTO users (id) SELECT 'u' || n FROM generate_series(1, $2::int) AS n RETURNING key, id)
     INSERT INTO scim_users (connection_key, user_key, provider_active, id, user_name, resource)
     SELECT c.key, made.key, true, made.id, made.id, jsonb_build_object('title', $3::text)
     FROM made, scim_connections AS c WHERE c.id = $1 ORDER BY made.key`,
    [okta.connection, count, title],
  );
  await api.service.dataSource.query('ANALYZE users, scim_users');
}

/** The bytes that the service has read from the database. */
function bytesRead(): number {
  const { master } = api.service.app.get(DataSource).driver as unknown as { master: Pool & { _clients: PoolClient[] } };
  const streams = master._clients.map(
    (client) => (client as unknown as { connection: { stream: { bytesRead: number } } }).connection.stream,
  );
  return streams.reduce((sum, { bytesRead: bytes }) => sum + bytes, 0);
}

const list = async (query: Record<string, string>): Promise<List & { read: number }> => {
  const before = bytesRead();
  const page = await okta.list(query);
  return { ...page, read: bytesRead() - before };
};

it.each<[how: string, filter: Record<string, string>]>([
  ['without a filter', {}],
  ['by a filter', { filter: 'title pr' }],
])('a page stops reading at 4 MiB, %s', async (_, filter) => {
  await write(150, 'x'.repeat(LARGE));
  const index = await list({ ...filter, count: '200' });
  const { itemsPerPage, totalResults, read } = index;
  expect([totalResults, itemsPerPage]).toEqual([150, Math.floor((PAGE - 8_192) / (LARGE + 560))]);
  expect(read).toBeLessThan(PAGE + 2 * LARGE);
  expect(await list({ ...filter, count: '200', startIndex: String(itemsPerPage + 1) })).toMatchObject({
    Resources: [{ id: `u${itemsPerPage + 1}` }, ...index.Resources.slice(1).map(() => expect.any(Object) as object)],
  });

  const ids: string[] = [];
  for (let total = 1; ids.length < total;) {
    const page = await list({ ...filter, count: '200', startIndex: String(ids.length + 1) });
    expect(page.read).toBeLessThan(PAGE + 2 * LARGE);
    ids.push(...page.Resources.map(({ id }) => id));
    total = page.totalResults;
  }
  expect(ids).toEqual(Array.from({ length: 150 }, (__, n) => `u${n + 1}`));
});

it('a filter examines a bounded number of users', async () => {
  const COUNT = 30_000;
  await write(COUNT, 'x');
  const ofMany = (last: string): string => `${'id sw "z" or '.repeat(75)}${last}`;
  const filter = ofMany('id sw "u2999"');
  expect(filter.length).toBeLessThan(1_000);
  // 76 comparisons of 30,000 users are more than two millions.
  const query = new URLSearchParams({ filter }).toString();
  expect(await okta.refusal('GET', `/Users?${query}`)).toBe('400 tooMany');
  expect(await okta.refusal('GET', `/Users?${query}&count=0`)).toBe('400 tooMany');

  // What an index finds can be compared as often, and two comparisons are made of all.
  const names = Array.from({ length: 40 }, (_, n) => `userName eq "u${n + 1}"`).join(' or ');
  expect(await okta.list({ filter: names })).toMatchObject({ totalResults: 40 });
  expect(await okta.list({ filter: 'id ew "00" and title pr', count: '1' })).toMatchObject({
    totalResults: COUNT / 100,
  });
});

it('a filter reads as many statements for any number of users', async () => {
  const log = StatementLog.of(api.service.app.get(DataSource));
  const counts: number[] = [];
  for (const count of [3, 3_000]) {
    await write(count, 'x');
    log.take();
    await okta.list({ filter: 'title co "x"', count: '2' });
    counts.push(log.take().filter((statement) => /FROM scim_users|statement_timeout/.test(statement)).length);
    await api.service.dataSource.query('DELETE FROM users WHERE id ~ $1', ['^u\\d']);
  }
  expect(counts[0]).toBe(counts[1]);
});
