import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadConfig } from '../../src/load-config';
import { signAccessToken } from '@user-administration/access-tokens/keys';
import { ask, post } from '../support/ask';
import { ServiceProcess } from '../support/service-process';
import { useTestDatabase } from '../support/test-database';
import { Receiver } from '../webhooks/receiver';
import { Collector, type Span } from './collector';
import { INSTALLS_WITHIN_MS, node24 } from './node-24';

const ROOT = join(__dirname, '../..');
const JWT_SECRET = 'a secret for these tests, of more than 32 bytes';
/** Of the caller, in whose traces the requests are. */
const LIST = '0af7651916cd43dd8448eb211c80319c';
const UNKNOWN = '1af7651916cd43dd8448eb211c80319c';
const HTTP_AND_POSTGRESQL = 7;

const database = useTestDatabase();
let collector: Collector;
let receiver: Receiver;
beforeEach(async () => {
  collector = await Collector.open();
  receiver = await Receiver.open();
});
afterEach(async () => {
  collector.close();
  await receiver.close();
});

const context = (trace: string) => ({ traceparent: `00-${trace}-b7ad6b7169203331-01` });

it(
  'traces requests and what they cause, and nothing else',
  async () => {
    const page = readFileSync(join(ROOT, 'docs/watch.md'), 'utf8');
    const [, packages = ''] = /^npm install (@opentelemetry.*)$/m.exec(page) ?? [];
    const { node, folder } = node24(packages.split(' '));
    copyFileSync(join(ROOT, 'deploy/otel.mjs'), join(folder, 'otel.mjs'));
    const environment = {
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: String(database.poolSize),
      JWT_SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SHUTDOWN_DRAIN_MS: '1000',
      NODE_OPTIONS: `--import=${pathToFileURL(join(folder, 'otel.mjs')).href}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    };
    const service = await ServiceProcess.start(environment, ROOT, node);
    const { accessTokens } = loadConfig({ JWT_SECRET });
    const token = signAccessToken(accessTokens, { sub: 'onboarding', scope: 'users:administer' });
    const authorization = `Bearer ${token}`;
    try {
      await service.until(200, '/health/ready');
      expect((await ask(`${service.url}/metrics`)).status).toBe(200);
      const webhook = { url: receiver.url, events: ['user.created'] };
      expect((await post(`${service.url}/api/webhooks`, webhook, { authorization })).status).toBe(201);
      await ask(`${service.url}/api/users?limit=5`, { headers: { authorization, ...context(LIST) } });
      await ask(`${service.url}/api/users/classified?search=classified`, {
        headers: { authorization, ...context(UNKNOWN) },
      });
      expect((await post(`${service.url}/api/users`, { id: 'ben' }, { authorization })).status).toBe(201);
      await receiver.got(1);
    } finally {
      expect(await service.stop()).toBe(0);
    }

    const { spans } = collector;
    const called = (what: string) => spans.filter((span) => span.name === what);
    const [webhook, created] = called('POST /api/users').concat(called('POST /api/webhooks')).reverse() as Span[];
    const mine = [LIST, UNKNOWN, webhook?.traceId, created?.traceId];
    expect(spans.filter(({ traceId }) => !mine.includes(traceId))).toEqual([]);

    const list = spans.filter(({ traceId }) => traceId === LIST);
    expect(list.length).toBeLessThanOrEqual(HTTP_AND_POSTGRESQL);
    expect(list.map(({ name }) => name)).toEqual(expect.arrayContaining([expect.stringMatching(/^pg\.query:SELECT/)]));
    expect(called('GET /api/users').map(({ attributes }) => attributes)).toEqual([
      expect.arrayContaining([{ key: 'http.route', value: { stringValue: '/api/users' } }]),
    ]);
    expect(called('GET /api/users/:id')).toHaveLength(1);

    const [{ event, headers }] = receiver.received as [Receiver['received'][number]];
    const delivery = called('POST').find(({ traceId }) => traceId === created?.traceId);
    expect(delivery?.parentSpanId).toBe(created?.spanId);
    expect(event.traceparent).toBe(`00-${created?.traceId}-${created?.spanId}-01`);
    expect(headers.traceparent).toBe(`00-${created?.traceId}-${delivery?.spanId}-01`);

    expect(service.logged('request').map((line) => (line as { traceId?: string }).traceId)).toEqual(
      expect.arrayContaining(mine),
    );
    expect(collector.received).not.toMatch(/classified|hooks\?of|\/v1\/(metrics|logs)/);
  },
  INSTALLS_WITHIN_MS,
);
