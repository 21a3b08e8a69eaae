import { Agent } from 'node:http';
import fc from 'fast-check';
import { Client } from 'pg';
import { call, type Reply } from './call';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { fillDirectory, tally } from './writers';

const CONCURRENT = 50;
const ROUTES = ['/api/users/workspace-assign', '/api/users/manage-status', '/api/users/status-tokens'];

/** Ids that nobody has, and much that is no id at all. */
const anyId = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\0', '\ud800', 'x'.repeat(5_000), '__proto__', 'constructor', "'; DROP TABLE users; --"),
  fc.anything(),
);
const anyList = fc.oneof(fc.array(anyId, { maxLength: 20 }), fc.anything(), fc.constantFrom(null, {}, 'w1', [[]]));
const anyBody = fc.oneof(
  // The users are never known, so that nothing can be done, whatever the rest.
  fc.record({ userIds: anyList, workspaces: anyList, groups: anyList }, { requiredKeys: [] }).map(asText),
  fc
    .record(
      { id: anyId, token: anyId, status: anyId, expiresIn: fc.anything(), reason: fc.anything() },
      { requiredKeys: [] },
    )
    .map(asText),
  fc.json(),
  fc.anything().map(asText),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.nat({ max: 30_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.json().map((text) => text.slice(0, text.length / 2)),
  fc.constantFrom('{"__proto__":{"userIds":["0a"]}}', '{"userIds":["0a"],"userIds":[]}', 'null', '7', '[]', '""'),
);

function asText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? '';
}

const SHAPES: Record<string, RegExp> = {
  '/api/users/workspace-assign': /^\{"status":(\d{3}),"message":"([^"\\]|\\.)+"\}$/,
  '/api/users/manage-status': /^\{"status":"error","message":"([^"\\]|\\.)+"\}$/,
  '/api/users/status-tokens': /^\{"status":(\d{3}),"message":"([^"\\]|\\.)+"\}$/,
};

async function main(): Promise<void> {
  const count = rounds(20_000);
  const trial = new Trial(`${count} malformed bodies, ${CONCURRENT} at once`);
  const postgres = await PrivatePostgres.running();
  const service = await FaultyService.ready({ DATABASE_URL: postgres.url });
  await fillDirectory(postgres.url, 100);
  const before = await contents(postgres.url);
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT });
  const { token } = service;
  const seed = Date.now() % 1_000_000;
  const bodies = fc.sample(anyBody, { numRuns: count, seed });
  const replies: Reply[] = [];
  const wrong: string[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const route = ROUTES[index % ROUTES.length] ?? '';
      const body = bodies[index] ?? '';
      try {
        const reply = await call(service.url + route, { body, token, agent, withinMs: 10_000 });
        replies.push(reply);
        if (reply.status >= 500 || reply.status < 400 || !SHAPES[route]?.test(reply.text)) {
          wrong.push(`${route} ${JSON.stringify(body.slice(0, 200))}: ${reply.status} ${reply.text.slice(0, 200)}`);
        }
      } catch (error) {
        wrong.push(`${route} ${JSON.stringify(body.slice(0, 200))}: ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, caller));
  agent.destroy();
  trial.expect(`answers (seed ${seed})`, replies.length === count, tally(replies));
  trial.expect(
    'answers of 2xx or 5xx, out of shape, or missing',
    wrong.length === 0,
    wrong.slice(0, 5).join('\n    ') || 0,
  );
  trial.expect(
    'slowest answer, ms',
    Math.max(...replies.map(({ ms }) => ms)) < 5_000,
    Math.round(Math.max(...replies.map(({ ms }) => ms))),
  );
  trial.expect('changes in the database', (await contents(postgres.url)) === before, 'compared whole');
  trial.finish();
}

/** Every row of every table, as one text. */
async function contents(databaseUrl: string): Promise<string> {
  const client = new Client(databaseUrl);
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ line: string }>(`SELECT t::text AS line FROM ${name} AS t ORDER BY 1`);
    texts.push(name, ...rows.map(({ line }) => line));
  }
  await client.end();
  return texts.join('\n');
}

void main();
