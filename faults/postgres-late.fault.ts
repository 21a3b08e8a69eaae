import { setTimeout as delay } from 'node:timers/promises';
import { call } from './call';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { Trial } from './trial';

async function main(): Promise<void> {
  const trial = new Trial('PostgreSQL is away when the service starts');
  const postgres = await PrivatePostgres.create();
  const service = await FaultyService.on({ DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' });
  service.start();
  const live = await service.until('/health/live', 200);
  trial.expect('alive after, ms', true, Math.round(live));
  await delay(3_000);
  const ready = await call(`${service.url}/health/ready`);
  trial.expect('not ready', ready.status === 503, `${ready.status} ${ready.text}`);
  const asked = await call(`${service.url}/api/users/workspace-assign`, { body: '{}', token: service.token });
  trial.expect(
    'answer to a request, with Retry-After',
    asked.status === 503 && asked.headers['retry-after'] === '1',
    `${asked.status}, after ${asked.headers['retry-after']} s`,
  );
  await postgres.start();
  const recovery = await service.until('/health/ready', 200);
  trial.expect('ready after the database started, ms', recovery < 5_000, Math.round(recovery));
  const served = await call(`${service.url}/api/users/workspace-assign`, { body: '{}', token: service.token });
  trial.expect('serves without a restart', served.status === 400, `${served.status} ${served.text}`);
  trial.finish();
}

void main();
