import { greeting } from '../../src/greeting';
import { ask, post } from '../support/ask';
import { useTestService } from '../support/test-service';

const BASE = 'https://intranet.example/users-admin';

const service = useTestService({ environment: { PUBLIC_URL: `${BASE}/`, TRUSTED_PROXIES: '1' } });

/** What a proxy that was not told, or a caller, may say of the address. */
const FORGED = {
  forwarded: 'host=evil.example;proto=http',
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-port': '81',
  'x-forwarded-prefix': '/evil',
  'x-forwarded-proto': 'http',
};

const headers = () => ({ ...FORGED, authorization: `Bearer ${service.serviceToken()}` });

describe('with PUBLIC_URL, the address of an answer begins with it, whatever the proxy says:', () => {
  it('Location', async () => {
    const { status, headers: answered } = await post(`${service.url}/api/users`, { id: 'auth0|5f7c' }, headers());
    expect([status, answered.get('location')]).toEqual([201, `${BASE}/api/users/auth0%7C5f7c`]);
  });

  it('Link', async () => {
    await service.directory.user('ben');
    const { text, headers: answered } = await ask(`${service.url}/api/users?limit=1`, { headers: headers() });
    const { next } = JSON.parse(text) as { next: string };
    expect(answered.get('link')).toBe(`<${BASE}/api/users?limit=1&cursor=${next}>; rel="next"`);
  });

  it('the servers of the OpenAPI document', async () => {
    const { text } = await ask(`${service.url}/api/docs-json`, { headers: headers() });
    expect(JSON.parse(text)).toMatchObject({ servers: [{ url: BASE }] });
  });

  it.each(['/', '/docs', '/docs/'])('the page to which %s leads', async (path) => {
    const { status, headers: answered } = await ask(service.url + path, { headers: FORGED, redirect: 'manual' });
    expect([status, answered.get('location')]).toEqual([302, `${BASE}/api/docs`]);
  });

  it('no redirect of a folder of the page', async () => {
    const { status, headers: answered } = await ask(`${service.url}/api/docs/docs`, {
      headers: headers(),
      redirect: 'manual',
    });
    expect([status, answered.get('location')]).toEqual([404, null]);
  });

  it('the printed addresses', async () => {
    expect(await greeting(service.app, service.config)).toBe(
      `Swagger UI: ${BASE}/api/docs\nAdministration: ${BASE}/admin\n`,
    );
  });
});
