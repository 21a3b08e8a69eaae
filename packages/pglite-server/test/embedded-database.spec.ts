import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'pg';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../src/embedded-database';
import { emptySnapshot } from './empty-snapshot';

describe('the embedded database', () => {
  let database: EmbeddedDatabase;
  let empty: Blob | undefined;
  const clients: Client[] = [];

  beforeAll(async () => {
    empty = await emptySnapshot().then((snapshot) => snapshot && new Blob([snapshot]));
    database = await openEmbeddedDatabase({ inMemory: true, snapshot: empty });
  });

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
  });

  afterAll(() => database.close());

  const connectTo = async (url: string): Promise<Client> => {
    const client = new Client(url);
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  };
  const connectClient = (): Promise<Client> => connectTo(database.url);

  it('uses UTF-8, and knows upper and lower case beyond ASCII', async () => {
    const client = await connectClient();
    const { rows } = await client.query('SELECT lower($1) AS lower, getdatabaseencoding() AS encoding', ['ÄÉŞЖ']);
    expect(rows).toEqual([{ lower: 'äéşж', encoding: 'UTF8' }]);
  });

  it('refuses connections without the password', async () => {
    const withWrongPassword = new URL(database.url);
    withWrongPassword.password = 'wrong';
    await expect(connectTo(withWrongPassword.href)).rejects.toMatchObject({ code: '28P01' });
    await expect(connectTo(database.url.replace(/:[^:@]+@/, '@'))).rejects.toThrow();
  });

  it('closes a connection that uses another protocol, and serves the others', async () => {
    const { hostname, port } = new URL(database.url);
    const stranger = connect(Number(port), hostname);
    stranger.on('error', () => undefined);
    stranger.resume().write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(stranger, 'close');
    expect((await (await connectClient()).query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('ends a transaction that is idle for too long, so that the others go on', async () => {
    const bounded = await openEmbeddedDatabase({ inMemory: true, snapshot: empty, idleTransactionMs: 100 });
    const [one, two] = [await connectTo(bounded.url), await connectTo(bounded.url)];
    await two.query('CREATE TABLE held (n integer)');
    const ended = once(one, 'error');
    await one.query('BEGIN');
    await one.query('INSERT INTO held VALUES (1)');
    expect((await two.query('SELECT n FROM held')).rows).toEqual([]);
    expect(await ended).toMatchObject([{ code: '25P03' }]);
    // A client that has the session for one statement only may be idle for any time.
    expect((await two.query('SELECT count(*)::integer FROM held')).rows).toEqual([{ count: 0 }]);
    await bounded.close();
  });

  it('isolates transactions: no dirty read, and a rollback takes back its own writes alone', async () => {
    const [one, two] = [await connectClient(), await connectClient()];
    await one.query('CREATE TABLE isolated (n integer)');
    await one.query('BEGIN');
    await one.query('INSERT INTO isolated VALUES (1)');
    let waiting = true;
    const seenByTwo = two.query('SELECT n FROM isolated').then((result) => {
      waiting = false;
      return result.rows;
    });
    const writtenByTwo = two.query('INSERT INTO isolated VALUES (2)');
    await one.query('INSERT INTO isolated VALUES ($1)', [3]);
    expect(waiting).toBe(true);
    await one.query('ROLLBACK');
    expect(await seenByTwo).toEqual([]);
    await writtenByTwo;
    expect((await one.query('SELECT n FROM isolated')).rows).toEqual([{ n: 2 }]);
  });

  it('keeps a failed transaction to itself until it is rolled back', async () => {
    const [one, two] = [await connectClient(), await connectClient()];
    await one.query('BEGIN');
    await expect(one.query('SELECT 1/0')).rejects.toMatchObject({ code: '22012' });
    const answer = two.query('SELECT 1 AS one');
    await expect(one.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' });
    await one.query('ROLLBACK');
    expect((await answer).rows).toEqual([{ one: 1 }]);
  });

  it('gives each client its own rows, also when a statement arrives in pieces', async () => {
    const [slow, quick] = [await connectClient(), await connectClient()];
    const socket = socketOf(slow);
    const write = socket.write.bind(socket);
    const heldBack: Buffer[] = [];
    // The Parse message alone sets out.
    socket.write = (message) => (message[0] === 'P'.charCodeAt(0) ? write(message) : heldBack.push(message) > 0);
    const answer = slow.query('SELECT $1::text AS slow', ['a']);
    for (const value of ['b', 'c']) {
      expect((await quick.query('SELECT $1::text AS quick', [value])).rows).toEqual([{ quick: value }]);
    }
    socket.write = write;
    heldBack.forEach((message) => write(message));
    expect((await answer).rows).toEqual([{ slow: 'a' }]);
  });

  it('receives and sends values that are larger than a network packet', async () => {
    const value = 'ä'.repeat(3_000_000);
    const { rows } = await (await connectClient()).query('SELECT $1::text AS value', [value]);
    expect(rows[0].value === value).toBe(true);
  });

  it('rolls back when a client disconnects within a transaction, and serves the next client', async () => {
    const [doomed, other] = [await connectClient(), await connectClient()];
    await other.query('CREATE TABLE abandoned (n integer)');
    await doomed.query('BEGIN');
    await doomed.query('INSERT INTO abandoned VALUES (1)');
    const answer = other.query('SELECT n FROM abandoned');
    socketOf(doomed).destroy();
    expect((await answer).rows).toEqual([]);
  });

  it('accepts a new client while another is in a transaction', async () => {
    const one = await connectClient();
    await one.query('BEGIN');
    await connectClient();
    await one.query('COMMIT');
  });

  it('resets settings and prepared statements when the last client has disconnected', async () => {
    const first = new Client(database.url);
    await first.connect();
    await first.query("SET application_name = 'first'");
    await first.query({ name: 'named', text: 'SELECT 1 AS one' });
    await first.end();
    const second = await connectClient();
    expect((await second.query({ name: 'named', text: 'SELECT 2 AS two' })).rows).toEqual([{ two: 2 }]);
    expect((await second.query('SHOW application_name')).rows).toEqual([{ application_name: '' }]);
  });

  it.each([
    ['a recursion without end', 'SELECT dive(1)'],
    ['an expression without end', `SELECT ${'1+'.repeat(30_000)}1`],
  ])('refuses %s, and stays usable', async (_, statement) => {
    const client = await connectClient();
    await client.query(
      'CREATE OR REPLACE FUNCTION dive(n integer) RETURNS integer LANGUAGE plpgsql AS $$BEGIN RETURN dive(n); END$$',
    );
    await expect(client.query(statement)).rejects.toMatchObject({ code: '54001' });
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('refuses COPY FROM STDIN, and stays usable', async () => {
    const client = await connectClient();
    await client.query('CREATE TABLE copied (n integer)');
    await expect(client.query('COPY copied FROM STDIN')).rejects.toMatchObject({ code: '0A000' });
    await expect(client.query({ name: 'copy', text: 'COPY copied FROM STDIN' })).rejects.toMatchObject({
      code: '0A000',
    });
    expect((await client.query('SELECT n FROM copied')).rows).toEqual([]);
  });

  it('opens independent databases from one snapshot', async () => {
    const client = await connectClient();
    await client.query('CREATE TABLE kept (n integer)');
    await client.query('INSERT INTO kept VALUES (1)');
    const copy = await openEmbeddedDatabase({ inMemory: true, snapshot: await database.snapshot() });
    await client.query('INSERT INTO kept VALUES (2)');
    const clientOfCopy = new Client(copy.url);
    await clientOfCopy.connect();
    expect((await clientOfCopy.query('SELECT n FROM kept')).rows).toEqual([{ n: 1 }]);
    await clientOfCopy.end();
    await copy.close();
  });

  it('answers statements that arrived before it closes, and rolls back open transactions', async () => {
    const closing = await openEmbeddedDatabase({ inMemory: true, snapshot: empty });
    const [idle, waiting] = [new Client(closing.url), new Client(closing.url)];
    for (const client of [idle, waiting]) client.on('error', () => undefined);
    await idle.connect();
    await waiting.connect();
    const hungUp = once(idle, 'error');
    await idle.query('BEGIN');
    await idle.query('CREATE TABLE never (n integer)');
    const answer = waiting.query("SELECT to_regclass('never') AS found");
    // Sent later and answered: what was sent before it has arrived.
    await idle.query('SELECT 1');
    await Promise.all([closing.close(), closing.close()]);
    expect((await answer).rows).toEqual([{ found: null }]);
    expect((await hungUp)[0]).toMatchObject({ code: '57P01' });
    await expect(new Client(closing.url).connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await closing.close();
  });
});

interface ClientSocket {
  write(message: Buffer): boolean;
  destroy(): void;
}

/** The socket under a client, to meddle with. */
function socketOf(client: Client): ClientSocket {
  return (client as unknown as { connection: { stream: ClientSocket } }).connection.stream;
}
