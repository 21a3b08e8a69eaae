import { DatabaseClient, DatabaseServers, prepared } from '@user-administration/postgres';
import { useTestDatabase } from '../support/test-database';

const DOUBLE = prepared('double', 'SELECT $1::int * 2 AS doubled');
const PREPARED = 'SELECT name FROM pg_prepared_statements WHERE statement = ANY($1)';

const database = useTestDatabase();
let clients: [DatabaseClient, DatabaseClient];

beforeEach(async () => {
  const options = { servers: new DatabaseServers(database), connectMs: 5_000, prepares: true };
  clients = [new DatabaseClient(options), new DatabaseClient(options)];
  for (const client of clients) await client.connect();
});
afterEach(() => Promise.all(clients.map((client) => client.end())));

it('statements are prepared once per connection, even if connections share a session', async () => {
  for (const client of [...clients, ...clients]) {
    expect((await client.query(DOUBLE, [21])).rows).toEqual([{ doubled: 42 }]);
  }
  const statements = new Set<string>();
  for (const client of clients) {
    const { rows } = await client.query<{ name: string }>(PREPARED, [[DOUBLE]]);
    expect(rows).toHaveLength(database.embedded ? 2 : 1);
    rows.forEach(({ name }) => statements.add(name));
  }
  expect(statements.size).toBe(2);
});

it('only statements that ask for it are prepared', async () => {
  const other = 'SELECT $1::int * 3 AS tripled';
  const [client] = clients;
  expect((await client.query(other, [14])).rows).toEqual([{ tripled: 42 }]);
  expect((await client.query(PREPARED, [[other]])).rows).toEqual([]);
});
