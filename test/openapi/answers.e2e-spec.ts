import { Journal } from '../../src/journal/journal';
import { asJudged } from '../support/as-judged';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../src/app';
import { loadConfig } from '../../src/load-config';
import { type AnyErrorCode, ERRORS } from '../../src/contract/errors';
import { SavedDirectory } from '../../packages/testing/src/saved-directory';
import { startDemoService } from '../support/demo-service';
import { startTestService, type TestService } from '../support/test-service';
import { fetchDeclared, openApiFile } from '../support/declared-answers';
import { fillIn, provoking, rightParameters } from './provocations';
import { querySealed } from '../support/sealed';
import { WEBHOOK_LIMITS } from '../../src/plugins/webhooks/limits';

const JWT_SECRET = 'the same secret for both services of this test';
const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';
/** What Swagger UI puts the token in the place of that was authorized with. */
const TO_FILL_IN = '<the access token of an administrator>';
/** Nothing that a test can do from outside makes the first two fail. The third takes megabytes of ids: see `test/journal/bounded-entries.e2e-spec.ts`. */
const UNSEEN = [
  'GET /health/live service.failed',
  'GET /health/ready service.failed',
  'POST /api/users/status-assign request.too_large_to_represent',
  // See `test/journal/months`.
  'GET /api/journal journal.pruned',
  'POST /api/journal/{id}/undo request.too_large_to_represent',
  // See `test/directory-transfer/imports` and `test/races/import-running`.
  'POST /api/imports import.invalid',
  'POST /api/imports import.running',
  'POST /api/imports request.too_large_to_represent',
  // It takes 100,001 users: see records/dry-run.
  ...['users', 'workspaces', 'groups', 'permissions'].flatMap((kind) =>
    ['PATCH', 'DELETE'].map((method) => `${method} /api/${kind}/{id} request.too_large_to_represent`),
  ),
  'POST /api/journal/{id}/undo directory.last_administrator',
];

/** It needs a connection that is cut at the right moment: see `test/database/outcome-unknown.e2e-spec.ts`. */
const SEEN_ELSEWHERE: AnyErrorCode = 'service.outcome_unknown';

interface Refusal {
  message: string;
}

/** Sends requests to the service at this address. */
type Asking = (base: string) => Promise<Response[]>;

/** The example names a field that not every record has. */
function naming(field: string | undefined, value: Refusal): Refusal {
  const named = ERRORS['field.invalid'].args?.field;
  return field ? { ...value, message: value.message.replace(String(named), field) } : value;
}

let service: TestService;
/** The demo directory with the journal of its first moment: an example of an undoing is not that of a second one. */
let untouched: TestService;
let demo: SavedDirectory;
let withoutDatabase: NestExpressApplication;
/** Takes one request of each caller in each minute. */
let frugal: TestService;
/** Of what is there to be asked for, by the names in the paths. */
let parameters: { id: string; deliveryId: string };

beforeAll(async () => {
  service = await startDemoService({ JWT_SECRET });
  untouched = await startDemoService({ JWT_SECRET });
  await writeChangeOfPermission();
  demo = new SavedDirectory(service.dataSource);
  await demo.save('0');
  withoutDatabase = await createApp(
    loadConfig({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere', JWT_SECRET, LOG_LEVEL: 'silent' }),
  );
  await withoutDatabase.listen(0, '127.0.0.1');
  frugal = await startTestService({ environment: { JWT_SECRET, FAIR_USE_PER_CALLER: '1' } });
  await frugal.directory.user('ada', { type: 'administrator' });
});
afterAll(async () => {
  await withoutDatabase.close();
  await frugal.close();
  await untouched.close();
  await service.close();
});

/** An entry that cannot be undone. It follows the demo directory, as `makeDemoChanges` numbers it. */
async function writeChangeOfPermission(): Promise<void> {
  const [before, after] = [null, 'Edit'].map((description) => ({ permission: 'content.edit', description }));
  await service.dataSource.transaction(async (manager) => {
    const judged = asJudged({ actor: { kind: 'user', id: 'ada' } });
    await service.app.get(Journal).append(manager, judged, [{ action: 'permission.updated', before, after }]);
    await manager.query('SELECT seal_journal(true, 0)');
  });
}

async function reset(): Promise<void> {
  await demo.restore();
  parameters = await writeDelivery();
}

/** A webhook to which nothing is sent, with a delivery that is over, and a connection with the same id. */
async function writeDelivery({ dataSource }: TestService = service): Promise<typeof parameters> {
  const id = randomUUID();
  await dataSource.query(
    `INSERT INTO webhook_subscriptions (id, url, events, secret, enabled, disabled_reason)
     VALUES ($1, 'https://hooks.example/any', '{user.status.changed}', 'whsec_AAAA', false, 'administrator')`,
    [id],
  );
  await dataSource.query(
    `INSERT INTO scim_connections (id, name, workspace_key, token_hash) SELECT $1, 'Okta', key, '' FROM workspaces WHERE id = 'atlas'`,
    [id],
  );
  const [{ entry }] = await querySealed<[{ entry: string }]>(
    dataSource,
    `INSERT INTO webhook_deliveries (subscription_id, entry_id, change_position, subject, state, finished_at)
     SELECT $1, position, position, 'ada', 'failed', now() FROM journal_changes LIMIT 1 RETURNING entry_id AS entry`,
    [id],
  );
  return { id, deliveryId: `msg_${id}_${entry}` };
}

const operations = Object.entries(openApiFile.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

function send(method: string, token: string, body: object): RequestInit {
  return {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body).replace(TO_FILL_IN, token),
  };
}

describe('each example of a request works on the demo directory', () => {
  beforeEach(reset);

  const examples = operations.flatMap(({ method, path, operation }) =>
    Object.values(operation.requestBody?.content[JSON_TYPE]?.examples ?? {}).map(
      ({ summary, value }) => [method, path, summary, value] as const,
    ),
  );

  it.each(examples)('%s %s: %s', async (method, path, summary, value) => {
    const target = service.url + fillIn(path, rightParameters(path, parameters));
    const { status } = await fetchDeclared(target, send(method, service.tokenOf('ada'), value));
    if (summary.startsWith('Refused')) expect([400, 401]).toContain(status);
    else expect(Math.floor(status / 100)).toBe(2);
  });
});

describe('each example of a file is imported into the demo directory', () => {
  beforeEach(reset);

  it.each(['application/x-ndjson', 'text/csv'])('as %s', async (type) => {
    const body = String(openApiFile.paths['/api/imports']?.post?.requestBody?.content[type]?.example);
    const headers = { authorization: `Bearer ${service.tokenOf('ada')}`, 'content-type': type };
    const response = await fetchDeclared(`${service.url}/api/imports`, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ status: 200, result: { created: { users: 1 } } });
  });
});

describe('the examples of answers in openapi.json', () => {
  beforeAll(reset);

  const refusals = operations.flatMap(({ method, path, operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content }]) =>
      Object.entries(content?.[JSON_TYPE]?.examples ?? {})
        .filter(([code]) => !UNSEEN.includes(`${method} ${path} ${code}`) && code !== SEEN_ELSEWHERE)
        .map(([code, { value }]) => ({ method, path, code: code as AnyErrorCode, status, value: value as Refusal })),
    ),
  );

  it('include every refusal', () => {
    expect(refusals.length).toBeGreaterThanOrEqual(40);
    const [declared, described] = [new Set<string>(), new Set<string>()];
    for (const { operation } of operations)
      for (const [status, { content, description }] of Object.entries(operation.responses)) {
        const name = `${operation.operationId} ${status}`;
        for (const code of Object.keys(content?.[JSON_TYPE]?.examples ?? {})) declared.add(`${name} ${code}`);
        for (const [, code] of description.matchAll(/^- `(.+?)`: ./gm)) described.add(`${name} ${code}`);
      }
    expect(described).toEqual(declared);
  });

  it.each(refusals)(
    'are what the service answers, also as a problem document: $method $path with $code',
    async (refusal) => {
      const { method, path, code, status, value } = refusal;
      const { target, init, field, errors } = provoking(code, method, path, service, parameters);
      const { message } = naming(field, value);
      const problem = {
        type: 'about:blank',
        title: STATUS_CODES[status],
        status: Number(status),
        detail: message,
        code,
        errors,
      };
      const answers = await during(code, path, async (base) => [
        await fetchDeclared(base + target, { ...init, headers: { ...init.headers, accept: JSON_TYPE } }),
        await fetchDeclared(base + target, { ...init, headers: { ...init.headers, accept: PROBLEM_TYPE } }),
      ]);
      const told = answers.map(async (answer) => `${answer.status} ${await answer.text()}`);
      expect(await Promise.all(told)).toEqual(
        [{ ...value, message }, problem].map((body) => `${status} ${JSON.stringify(body)}`),
      );
      expect(answers.map(({ headers }) => headers.get('content-type')?.split(';')[0])).toEqual([
        JSON_TYPE,
        PROBLEM_TYPE,
      ]);
    },
  );

  const successes = operations.flatMap(({ method, path, operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content }]) => {
      const example = content?.[JSON_TYPE]?.example;
      return /^2/.test(status) && example ? [{ method, path, status, example }] : [];
    }),
  );

  it.each(successes)(
    'are what the service answers: $method $path with success',
    async ({ method, path, status, example }) => {
      // A right request: what a database that is away would refuse.
      const given = await writeDelivery(untouched);
      const { target, init } = provoking('service.unavailable', method, path, untouched, given);
      const response = await fetchDeclared(untouched.url + target, init);
      expect(`${response.status} ${await response.text()}`).toBe(`${status} ${JSON.stringify(example)}`);
    },
  );

  const records = operations.filter(({ operation }) => operation.responses[304]).map(({ path }) => path);

  it.each(records)('are what the service answers: GET %s with the version that the caller has', async (path) => {
    const headers = { authorization: `Bearer ${service.tokenOf('ada')}`, 'if-none-match': '*' };
    const target = service.url + fillIn(path, rightParameters(path, parameters));
    const response = await fetchDeclared(target, { headers });
    expect([response.status, response.headers.has('etag'), await response.text()]).toEqual([304, true, '']);
  });

  it.each(['/health/live', '/health/ready'])('are what the service answers: GET %s with success', async (path) => {
    const response = await fetchDeclared(service.url + path);
    expect(`${response.status} ${await response.text()}`).toBe('200 {"status":"ok"}');
  });

  /** As if another request of the same key always came to its end just before. */
  async function whileKeysAreTaken(ask: () => Promise<Response[]>): Promise<Response[]> {
    await service.dataSource.query(
      `CREATE FUNCTION keep_nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    );
    await service.dataSource.query(
      `CREATE TRIGGER keep_nothing BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION keep_nothing()`,
    );
    try {
      return await ask();
    } finally {
      await service.dataSource.query('DROP FUNCTION keep_nothing CASCADE');
    }
  }

  /** Asks twice in the middle of a minute, so that the second half of it is left to wait for. */
  async function atHalfPast(ask: () => Promise<Response[]>): Promise<Response[]> {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Math.ceil(Date.now() / 60_000) * 60_000 - 30_000);
    try {
      await ask();
      return await ask();
    } finally {
      clock.mockRestore();
    }
  }

  /** Codes for which the directory, the webhooks or the keys are changed. */
  const CHANGING: readonly AnyErrorCode[] = [
    'status.last_administrator',
    'directory.last_administrator',
    'webhook.too_many',
    'idempotency.key_reused',
  ];

  /** Does to a service what a code needs, asks, and makes it good again. */
  async function during(code: AnyErrorCode, path: string, ask: Asking): Promise<Response[]> {
    const responses = await provoked(code, ask, path);
    if (CHANGING.includes(code)) await reset();
    return responses;
  }

  /** Leaves those administrators alone whom the request of the provocation would take that from. */
  async function leaveOneAdministrator(path: string): Promise<void> {
    const { dataSource } = service;
    if (path === '/api/users/workspace-unassign') {
      await dataSource.query('DELETE FROM user_permissions');
      await dataSource.query(
        `INSERT INTO workspace_memberships (user_key, workspace_key)
         SELECT u.key, w.key FROM users AS u, workspaces AS w WHERE u.id = 'ada' AND w.id = 'cosmos'`,
      );
      await permitCosmos();
    }
    if (path === '/api/users/{id}') await dataSource.query(`UPDATE users SET status = 'inactive' WHERE id = 'zoe'`);
    // By a workspace or a group it is Zoe.
    if (/workspaces|groups/.test(path)) await dataSource.query(`UPDATE users SET status = 'inactive' WHERE id = 'ada'`);
    if (path === '/api/workspaces/{id}') await permitCosmos();
  }

  /** Gives the workspace what its group has. */
  async function permitCosmos(): Promise<void> {
    await service.dataSource.query(
      `WITH moved AS (
         DELETE FROM group_permissions USING groups WHERE groups.key = group_key AND groups.id = 'cosmos-admins'
         RETURNING workspace_key, permission_key
       )
       INSERT INTO workspace_permissions (workspace_key, permission_key) SELECT * FROM moved`,
    );
  }

  async function provoked(code: AnyErrorCode, ask: Asking, path: string): Promise<Response[]> {
    if (code === 'service.unavailable') {
      return ask(`http://127.0.0.1:${(withoutDatabase.getHttpServer().address() as AddressInfo).port}`);
    }
    if (code === 'status.last_administrator') {
      await service.dataSource.query(`UPDATE users SET status = 'inactive' WHERE id = 'zoe'`);
    }
    if (code === 'directory.last_administrator') await leaveOneAdministrator(path);
    if (code === 'webhook.too_many') {
      await service.dataSource.query(
        `INSERT INTO webhook_subscriptions (id, url, events, secret)
         SELECT n::text, 'https://example.com', '{}', '' FROM generate_series(2, $1) AS n`,
        [WEBHOOK_LIMITS.webhooks],
      );
    }
    if (code === 'idempotency.key_reused') {
      expect((await ask(service.url))[0]?.ok).toBe(true);
      await service.dataSource.query(`UPDATE idempotency_keys SET fingerprint = 'of another request'`);
    }
    if (code === 'request.too_frequent') return atHalfPast(() => ask(frugal.url));
    if (code === 'idempotency.in_progress') return whileKeysAreTaken(() => ask(service.url));
    if (code !== 'service.failed') return ask(service.url);
    await service.dataSource.query('ALTER TABLE users RENAME TO gone');
    try {
      return await ask(service.url);
    } finally {
      await service.dataSource.query('ALTER TABLE gone RENAME TO users');
    }
  }
});
