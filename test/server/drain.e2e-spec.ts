import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { RequestsUnderWay } from '@user-administration/http';
import { startTestService, type TestService } from '../support/test-service';
import { eventually } from '../support/eventually';

let service: TestService;
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  service = await startTestService({ environment: { SHUTDOWN_DRAIN_MS: '200' } });
  await service.directory.workspace('atlas');
  await service.directory.user('ben');
});
afterAll(() => {
  agent.destroy();
  return service.close();
});

function assignByAgent(): Promise<{ status?: number; connection?: string }> {
  const body = JSON.stringify({ userIds: ['ben'], workspaces: ['atlas'] });
  return new Promise((resolve, reject) => {
    const call = request(`${service.url}/api/users/workspace-assign`, {
      agent,
      method: 'POST',
      headers: { authorization: `Bearer ${service.serviceToken()}`, 'content-type': 'application/json' },
    });
    call.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }));
    });
    call.on('error', reject);
    call.end(body);
  });
}

describe('a stopping service', () => {
  it('finishes its requests, asks callers to close their connections, and then accepts no more', async () => {
    expect(await assignByAgent()).toEqual({ status: 200, connection: 'keep-alive' });
    const requests = service.app.get(RequestsUnderWay);
    const holders = Array.from({ length: service.config.databasePoolSize }, () =>
      service.dataSource.createQueryRunner(),
    );
    for (const holder of holders) await holder.connect();
    const silent = connect(Number(new URL(service.url).port), '127.0.0.1');
    await once(silent, 'connect');
    const underWay = assignByAgent();
    await eventually(() => expect(requests.responses.length).toBe(1));

    const drained = requests.drain();
    let isDrained = false;
    void drained.then(() => (isDrained = true));
    await eventually(async () => {
      await expect(fetch(`${service.url}/health/live`)).rejects.toThrow();
    });
    expect(isDrained).toBe(false);
    for (const holder of holders) await holder.release();
    expect(await underWay).toEqual({ status: 200, connection: 'close' });
    // Nothing came on this connection, and the service does not wait for it.
    await Promise.all([drained, once(silent, 'close')]);
    expect(requests.responses.length).toBe(0);
  });
});
