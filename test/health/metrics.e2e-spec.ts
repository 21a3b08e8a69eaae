import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_ERRORS } from '../support/all-errors';
import { Metrics } from '../../src/health/metrics';
import { eventually } from '../support/eventually';
import { startTestService, useTestService } from '../support/test-service';
import { StatementLog } from '../database/statement-log';
import { assign, ask } from '../support/ask';
import { rawRequest } from '../support/raw-http';

const DOCS = join(__dirname, '../../docs');

const service = useTestService();

beforeAll(async () => {
  await service.directory.workspace('atlas');
  await service.directory.user('ben');
});

async function metrics(of = service): Promise<string> {
  return (await ask(`${of.url}/metrics`)).text;
}

/** The value of a line, such as `http_requests_under_way` or `x_total{status="200"}`. */
function valueOf(text: string, line: string): number | undefined {
  const found = text.split('\n').find((candidate) => candidate.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

const count = (route: string, method: string, status: string) =>
  `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;

describe('GET /metrics', () => {
  it('answers any caller in the text format of Prometheus', async () => {
    const answer = await ask(`${service.url}/metrics`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    for (const line of answer.text.split('\n').filter(Boolean)) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? (-?[\d.e+-]+|NaN|[+-]Inf))$/);
    }
  });

  it('counts requests by route and status', async () => {
    await assign(service, service.serviceToken(), { userIds: ['ben'], workspaces: ['atlas'] });
    await assign(service, undefined, {});
    const text = await metrics();
    expect(valueOf(text, count('/api/users/workspace-assign', 'POST', '200'))).toBe(1);
    expect(valueOf(text, count('/api/users/workspace-assign', 'POST', '401'))).toBe(1);
  });

  it('counts a refused body and a wrong method under their route', async () => {
    await ask(`${service.url}/api/users/manage-status`, {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${service.serviceToken()}` },
    });
    for (const method of ['PUT', 'GET']) await ask(`${service.url}/api/users/manage-status`, { method });
    await ask(`${service.url}/api/webhooks/any/secret`);
    const text = await metrics();
    expect(valueOf(text, count('/api/users/manage-status', 'POST', '400'))).toBe(1);
    expect(valueOf(text, count('/api/users/manage-status', 'other', '405'))).toBe(1);
    expect(valueOf(text, count('/api/users/manage-status', 'GET', '405'))).toBe(1);
    expect(valueOf(text, count('/api/webhooks/:id/secret', 'GET', '405'))).toBe(1);
  });

  it('has a bounded number of labels, whatever paths, methods and users occur', async () => {
    await ask(`${service.url}/nowhere`);
    await ask(`${service.url}/%zz`, { method: 'PROPFIND' });
    const labels = async () => (await metrics()).split('\n').filter((line) => line.startsWith('http_')).length;
    const before = await labels();
    for (const method of ['GET', 'PUT', 'MKCOL', 'PROPFIND']) {
      for (let path = 0; path < 5; path++)
        await ask(`${service.url}/nowhere/${method}/${path}?user=${path}`, { method });
    }
    expect(await labels()).toBe(before);
    expect(valueOf(await metrics(), count('unknown', 'other', '404'))).toBe(21);
  });

  it('counts refusals by their code', async () => {
    const refused = async (code: string) =>
      valueOf(await metrics(), `http_requests_refused_total{code="${code}"}`) ?? 0;
    const before = { token: await refused('auth.token_invalid'), malformed: await refused('request.malformed') };
    await assign(service, undefined, {});
    await rawRequest(service.url, 'no HTTP\r\n\r\n');
    expect(await refused('auth.token_invalid')).toBe(before.token + 1);
    expect(await refused('request.malformed')).toBe(before.malformed + 1);
  });

  it('has metrics of the database', async () => {
    await service.dataSource.query('SELECT 1');
    const text = await metrics();
    expect(valueOf(text, 'database_ready')).toBe(1);
    expect(valueOf(text, 'service_ready')).toBe(1);
    expect(valueOf(text, 'database_connections_idle')).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, 'database_connection_waiters')).toBe(0);
    expect(valueOf(text, 'database_statement_duration_seconds_count')).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, 'transaction_retries_total')).toBe(0);
    // Deliveries and the heartbeat use a connection now and then.
    await eventually(async () => expect(valueOf(await metrics(), 'database_connections_busy')).toBe(0));
  });

  it('has metrics of the event loop', async () => {
    expect(valueOf(await metrics(), 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });

  it('separates the metrics of two services in one process', async () => {
    await ask(`${service.url}/health/live`);
    const other = await startTestService();
    try {
      expect(valueOf(await metrics(other), count('/health/live', 'GET', '200'))).toBeUndefined();
    } finally {
      await other.close();
    }
    expect(valueOf(await metrics(), count('/health/live', 'GET', '200'))).toBe(1);
  });

  it('has the metrics of the process once, however many services it has', () => {
    const [one, other] = [new Metrics(), new Metrics()].map(({ registry }) => registry);
    for (const name of ['nodejs_gc_duration_seconds', 'nodejs_eventloop_lag_seconds']) {
      expect(one?.getSingleMetric(name)).toBeDefined();
      expect(one?.getSingleMetric(name)).toBe(other?.getSingleMetric(name));
    }
  });
});

describe('the metrics of webhooks', () => {
  const read = async () => {
    const text = await metrics();
    return ['deliveries_pending', 'oldest_pending_age_seconds', 'deliveries_failed'].map((name) =>
      valueOf(text, `webhook_${name}`),
    );
  };

  beforeAll(async () => {
    await service.dataSource.query(
      `INSERT INTO webhook_subscriptions (id, url, events, secret, enabled, disabled_reason) VALUES
       ('on', 'https://hooks.example', '{}', '', true, NULL), ('off', 'https://hooks.example', '{}', '', false, 'gone')`,
    );
  });
  afterAll(async () => {
    await service.dataSource.query('DELETE FROM webhook_subscriptions');
    await service.dataSource.query('DELETE FROM webhook_deliveries');
  });

  it('are 0 where nothing is to be delivered', async () => {
    expect(await read()).toEqual([0, 0, 0]);
  });

  it('show the number and age of pending deliveries, and the number of failed ones', async () => {
    await service.dataSource.query(
      `INSERT INTO webhook_deliveries (subscription_id, entry_id, change_position, subject, state, asked_at, next_attempt_at, finished_at)
       VALUES
       ('on', 1, 1, 'ben', 'pending', now() - interval '1 hour', now() + interval '1 day', NULL),
       ('on', 2, 1, 'ben', 'waiting', now(), now() + interval '1 day', NULL),
       ('on', 3, 1, 'cyd', 'failed', now() - interval '2 days', now(), now()),
       ('on', 4, 1, 'cyd', 'delivered', now() - interval '2 days', now(), now()),
       ('off', 1, 1, 'ben', 'pending', now() - interval '1 day', now(), NULL),
       ('off', 2, 1, 'ben', 'failed', now() - interval '1 day', now(), now())`,
    );
    const [pending, seconds, failed] = await read();
    expect([pending, failed]).toEqual([2, 2]);
    expect(seconds).toBeGreaterThanOrEqual(3_600);
    expect(seconds).toBeLessThan(3_900);
  });

  it('are read with one query that uses only indexes', async () => {
    const { logger } = service.dataSource;
    const log = StatementLog.of(service.dataSource);
    try {
      await metrics();
    } finally {
      service.dataSource.logger = logger;
    }
    const asked = log.statements.filter((statement) => statement.includes('oldestSeconds'));
    expect(asked).toHaveLength(1);
    const plan = await service.dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL enable_seqscan = off');
      return manager.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${asked[0]}`);
    });
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).toContain('webhook_deliveries_backlog');
    expect(lines).toContain('webhook_deliveries_failed');
    expect(lines).not.toMatch(/Seq Scan on webhook_deliveries|Sort/);
  });

  it('are left out, unlike all others, if the database does not answer', async () => {
    await service.dataSource.query('ALTER TABLE webhook_deliveries RENAME TO gone');
    try {
      expect(await read()).toEqual([undefined, undefined, undefined]);
      expect(valueOf(await metrics(), 'service_ready')).toBe(1);
    } finally {
      await service.dataSource.query('ALTER TABLE gone RENAME TO webhook_deliveries');
    }
  });
});

const FUNCTIONS = ['histogram_quantile'];

/** What a query of Prometheus names, without its functions. */
function namesIn(query: string): string[] {
  const names = query.replace(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ').match(/\b[a-z]+(_[a-z0-9]+)+\b/g) ?? [];
  return names.filter((name) => !FUNCTIONS.includes(name));
}

/** The metrics of a query that it does not select by this matcher. */
function withoutSelector(query: string, matcher: string): string[] {
  return namesIn(query).filter((name) => !query.includes(`${name}{${matcher}`));
}

/** Every metric that there is, as queries name it. */
async function known(): Promise<Set<string>> {
  return new Set(
    [...(await metrics()).matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

describe('docs/grafana-dashboard.json', () => {
  const dashboard = JSON.parse(readFileSync(join(DOCS, 'grafana-dashboard.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  const queries = dashboard.panels.flatMap(({ targets }) => targets?.map(({ expr }) => expr) ?? []);

  it('selects the job in every query', () => {
    expect(queries.flatMap((query) => withoutSelector(query, 'job=~"$job"'))).toEqual([]);
  });

  it('uses only metrics that exist', async () => {
    const there = await known();
    const named = queries.flatMap(namesIn);
    expect(named.filter((name) => !there.has(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });

  it('shows every metric of the service', async () => {
    const ours = [
      ...(await metrics()).matchAll(/^# TYPE ((http|database|jwks|service|transaction|user|webhook)_\w+)/gm),
    ];
    expect(ours.map(([, name = '']) => name).filter((name) => !queries.some((query) => query.includes(name)))).toEqual(
      [],
    );
  });
});

describe('docs/alerts.yml', () => {
  const rules = readFileSync(join(DOCS, 'alerts.yml'), 'utf8')
    .split(/^ +- (?=alert: )/m)
    .slice(1);
  const queries = rules.map((rule) => /^ +expr: (.+)$/m.exec(rule)?.[1] ?? '');

  it('uses only metrics, routes and codes that exist', async () => {
    const there = await known();
    const named = queries.map(namesIn);
    expect(named.flat().filter((name) => !there.has(name))).toEqual([]);
    expect(named.filter((names) => names.length === 0)).toEqual([]);
    const codes = queries.flatMap((query) => /code="([^"]+)"/.exec(query)?.[1] ?? []);
    expect(codes.filter((code) => !(code in ALL_ERRORS))).toEqual([]);
    await ask(`${service.url}/api/journal`);
    expect(await metrics()).toContain('route="/api/journal"');
  });

  it('selects the job in every query, so that no other service is judged', () => {
    expect(queries.flatMap((query) => withoutSelector(query, 'job="user-administration"'))).toEqual([]);
  });

  it('has a severity and a summary for each alert', () => {
    expect(rules.length).toBeGreaterThan(8);
    for (const rule of rules)
      expect(rule).toMatch(/^ +labels: \{ severity: (warning|critical) \}\n +annotations:\n +summary: .{20}/m);
  });
});
