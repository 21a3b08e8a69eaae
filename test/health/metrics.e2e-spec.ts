import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestService, type TestService } from '../../src/testing/start-service';
import { assign, ask } from '../support/ask';
import { rawRequest } from '../support/raw-http';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  await service.directory.workspace('atlas');
  await service.directory.user('ben');
});
afterAll(() => service.close());

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
  it('answers anyone in the text format of Prometheus', async () => {
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

  it('counts a refused body, and a wrong verb, under the route that it was for', async () => {
    await ask(`${service.url}/api/users/manage-status`, {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${service.serviceToken()}` },
    });
    await ask(`${service.url}/api/users/manage-status`, { method: 'PUT' });
    const text = await metrics();
    expect(valueOf(text, count('/api/users/manage-status', 'POST', '400'))).toBe(1);
    expect(valueOf(text, count('/api/users/manage-status', 'other', '405'))).toBe(1);
  });

  it('has no more labels, however many paths, verbs and users there are', async () => {
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

  it('tells of the database', async () => {
    await service.dataSource.query('SELECT 1');
    const text = await metrics();
    expect(valueOf(text, 'database_ready')).toBe(1);
    expect(valueOf(text, 'database_connections_idle')).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, 'database_connections_busy')).toBe(0);
    expect(valueOf(text, 'database_connection_waiters')).toBe(0);
    expect(valueOf(text, 'database_statement_duration_seconds_count')).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, 'transaction_retries_total')).toBe(0);
  });

  it('tells of the event loop', async () => {
    expect(valueOf(await metrics(), 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });

  it('keeps the numbers of two services in one process apart', async () => {
    await ask(`${service.url}/health/live`);
    const other = await startTestService();
    try {
      expect(valueOf(await metrics(other), count('/health/live', 'GET', '200'))).toBeUndefined();
    } finally {
      await other.close();
    }
    expect(valueOf(await metrics(), count('/health/live', 'GET', '200'))).toBe(1);
  });
});

describe('docs/grafana-dashboard.json', () => {
  const dashboard = JSON.parse(readFileSync(join(__dirname, '../../docs/grafana-dashboard.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  const queries = dashboard.panels.flatMap(({ targets }) => targets?.map(({ expr }) => expr) ?? []);

  it('names only metrics that there are', async () => {
    const known = new Set(
      [...(await metrics()).matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
    const named = queries.flatMap(
      (query) => query.replace(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ').match(/\b[a-z]+(_[a-z0-9]+)+\b/g) ?? [],
    );
    const functions = ['histogram_quantile'];
    expect(named.filter((name) => !known.has(name) && !functions.includes(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });

  it('shows every metric of our own', async () => {
    const ours = [...(await metrics()).matchAll(/^# TYPE ((http|database|jwks|transaction|user)_\w+)/gm)];
    expect(ours.map(([, name = '']) => name).filter((name) => !queries.some((query) => query.includes(name)))).toEqual(
      [],
    );
  });
});
