import { startTestService, type TestService } from '../support/test-service';
import { type Answer, ask, manageStatus, post } from '../support/ask';
import { rawRequest } from '../support/raw-http';
import { fetchDeclared } from '../support/declared-answers';

let service: TestService;

async function limited(environment: Record<string, string>): Promise<void> {
  // A window so long that no test sees its end.
  service = await startTestService({ environment: { FAIR_USE_WINDOW_SECONDS: '86400', ...environment } });
}
afterEach(() => service.close());

function assign(token: string, headers: Record<string, string> = {}): Promise<Answer> {
  return post(`${service.url}/api/users/workspace-assign`, {}, { authorization: `Bearer ${token}`, ...headers });
}

describe('fair use', () => {
  it('returns the remaining quota, and refuses all callers of an address that has used it up', async () => {
    await limited({ FAIR_USE_PER_ADDRESS: '2', FAIR_USE_PER_CALLER: '5' });
    const first = await assign(service.serviceToken());
    expect(first.status).toBe(400);
    expect(first.headers.get('ratelimit-policy')).toBe('"address";q=2;w=86400, "caller";q=5;w=86400');
    expect(first.headers.get('ratelimit')).toMatch(/^"address";r=1;t=\d+, "caller";r=4;t=\d+$/);
    expect((await assign('no token at all')).status).toBe(401);

    const refused = await assign(service.serviceToken());
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toBe(`"address";r=0;t=${seconds}`);
    const unit = seconds === 1 ? 'second' : 'seconds';
    expect(`${refused.status} ${refused.text}`).toBe(
      `429 {"status":429,"message":"Too many requests. Please try again in ${seconds.toLocaleString('en')} ${unit}."}`,
    );
  });

  it('refuses only the caller that has used it up', async () => {
    await limited({ FAIR_USE_PER_CALLER: '1' });
    await service.directory.user('ada', { type: 'administrator' });
    expect((await assign(service.tokenOf('ada'))).status).toBe(400);
    expect((await assign(service.tokenOf('ada'))).status).toBe(429);
    expect((await assign(service.serviceToken())).status).toBe(400);
    // An unidentified caller does not use the quota of a caller.
    expect((await assign('no token at all')).status).toBe(401);
  });

  it('refuses in the format of the route and the language of the caller, as openapi.json declares', async () => {
    await limited({ FAIR_USE_PER_ADDRESS: '0', FAIR_USE_PER_CALLER: '1' });
    await manageStatus(service, service.serviceToken(), {});
    const refused = await manageStatus(service, service.serviceToken(), {});
    expect(refused.status).toBe(429);
    expect(refused.text).toMatch(
      /^\{"status":"error","message":"Too many requests\. Please try again in [\d,]+ seconds?\."\}$/,
    );
    const headers = { authorization: `Bearer ${service.serviceToken()}`, 'content-type': 'application/json' };
    const german = { 'accept-language': 'de', accept: 'application/problem+json' };
    const response = await fetchDeclared(`${service.url}/api/users/workspace-assign`, {
      method: 'POST',
      headers: { ...headers, ...german },
      body: '{}',
    });
    expect(await response.json()).toMatchObject({
      status: 429,
      code: 'request.too_frequent',
      detail: expect.stringMatching(/^Zu viele Anfragen\. Bitte versuchen Sie es in [\d.]+ Sekunden? erneut\.$/),
    });
  });

  it.each([
    ['GET', '/nowhere'],
    ['GET', '/nowhere/metrics'],
    ['GET', '/healthy'],
    ['GET', '/api/%ff'],
    ['PUT', '/api/users/workspace-assign'],
    ['OPTIONS', '/api/users/workspace-assign'],
    ['GET', '/api/docs'],
    ['GET', '/api/docs/swagger-ui.css'],
    ['GET', '/api/docs-json'],
  ])('counts every request, also %s %s', async (method, path) => {
    await limited({ FAIR_USE_PER_ADDRESS: '1' });
    const first = await ask(service.url + path, { method });
    expect(first.status).not.toBe(429);
    expect(first.headers.get('ratelimit')).toMatch(/^"address";r=0;t=\d+$/);
    expect((await ask(service.url + path, { method })).status).toBe(429);
  });

  it('counts text that cannot be read as a request', async () => {
    await limited({ FAIR_USE_PER_ADDRESS: '1' });
    expect((await rawRequest(service.url, 'no HTTP\r\n\r\n')).status).toBe(400);
    expect((await assign(service.serviceToken())).status).toBe(429);
  });

  it('does not count such text behind a proxy, whose address it would have', async () => {
    await limited({ FAIR_USE_PER_ADDRESS: '1', TRUSTED_PROXIES: '1' });
    expect((await rawRequest(service.url, 'no HTTP\r\n\r\n')).status).toBe(400);
    expect((await assign(service.serviceToken())).status).toBe(400);
  });

  it('counts a user and a service with the same id separately', async () => {
    await limited({ FAIR_USE_PER_CALLER: '1' });
    expect((await assign(service.serviceToken())).status).toBe(400);
    await service.directory.user('calling-service', { type: 'administrator' });
    expect((await assign(service.tokenOf('calling-service'))).status).toBe(400);
    expect((await assign(service.tokenOf('calling-service'))).status).toBe(429);
  });

  it('is on by default, and off in the service for tests', async () => {
    await limited({});
    expect((await assign(service.serviceToken())).headers.get('ratelimit')).toBeNull();
    await service.close();
    await limited({ FAIR_USE_PER_ADDRESS: '', FAIR_USE_PER_CALLER: '' });
    const { headers } = await assign(service.serviceToken());
    expect(headers.get('ratelimit-policy')).toBe('"address";q=30000;w=86400, "caller";q=6000;w=86400');
  });

  it('does not count requests for health and metrics', async () => {
    await limited({ FAIR_USE_PER_ADDRESS: '1' });
    for (const path of ['/health/live', '/health/live', '/metrics', '/metrics']) {
      const answer = await ask(service.url + path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit')).toBeNull();
    }
  });

  it('uses X-Forwarded-For only with TRUSTED_PROXIES', async () => {
    await limited({ FAIR_USE_PER_ADDRESS: '1' });
    expect((await assign(service.serviceToken(), { 'x-forwarded-for': '203.0.113.1' })).status).toBe(400);
    expect((await assign(service.serviceToken(), { 'x-forwarded-for': '203.0.113.2' })).status).toBe(429);
    await service.close();
    await limited({ FAIR_USE_PER_ADDRESS: '1', TRUSTED_PROXIES: '1' });
    expect((await assign(service.serviceToken(), { 'x-forwarded-for': '203.0.113.1' })).status).toBe(400);
    expect((await assign(service.serviceToken(), { 'x-forwarded-for': '203.0.113.2' })).status).toBe(400);
    expect((await assign(service.serviceToken(), { 'x-forwarded-for': '203.0.113.2' })).status).toBe(429);
  });
});
