import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { useTestService } from '../support/test-service';
import { MANAGE_STATUS } from '../../src/users/status.documentation';

const service = useTestService();
let page: string;
let policy: Map<string, string[]>;

beforeAll(async () => {
  const response = await fetch(`${service.url}/api/docs`);
  page = await response.text();
  policy = readPolicy(response.headers.get('content-security-policy') ?? '');
});

function readPolicy(header: string): Map<string, string[]> {
  return new Map(
    header.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources] as const;
    }),
  );
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function matches(pattern: RegExp, group: number): string[] {
  return [...page.matchAll(pattern)].map((match) => match[group] ?? '');
}

interface UiOptions {
  persistAuthorization: boolean;
  validatorUrl: string;
}

/** What the page gives to Swagger UI, having run its script as a browser does. */
async function uiOptions(): Promise<UiOptions> {
  const script = await (await fetch(`${service.url}/api/docs/swagger-ui-init.js`)).text();
  const given: UiOptions[] = [];
  const SwaggerUIBundle = Object.assign((options: UiOptions) => given.push(options), { presets: {}, plugins: {} });
  const window = { location: { search: '', origin: service.url }, onload: () => undefined };
  runInNewContext(script, { window, SwaggerUIBundle, SwaggerUIStandalonePreset: {} });
  window.onload();
  return given[0] as UiOptions;
}

interface PageRequest {
  headers: Record<string, string>;
  body?: string;
}

interface PageScript {
  prepareRequest(request: PageRequest): PageRequest;
  plugin(system: object): {
    statePlugins: { auth: { wrapActions: { authorize(next: (given: object) => void): (given: object) => void } } };
  };
}

/** The page's own script, in a browser that has just enough for it, and the addresses that it replaced its own by. */
async function pageScript(hash = ''): Promise<{ script: PageScript; addresses: string[] }> {
  const addresses: string[] = [];
  const window = { administration: {} as PageScript };
  runInNewContext(await (await fetch(`${service.url}/api/docs/page.js`)).text(), {
    window,
    location: { hash, pathname: '/api/docs', search: '' },
    history: { replaceState: (_state: unknown, _title: string, address: string) => addresses.push(address) },
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    document: { documentElement: { classList: { toggle: () => undefined } } },
    URLSearchParams,
  });
  return { script: window.administration, addresses };
}

describe('the page of Swagger UI', () => {
  it('can load only files of this service, and cannot be framed', () => {
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'", ...matches(/<style[^>]*>([\s\S]*?)<\/style>/g, 1).map(hashOf)],
      'style-src-attr': ["'unsafe-hashes'", ...matches(/<[^>]+ style="([^"]*)"/g, 1).map(hashOf)],
      'img-src': ["'self'", 'data:'],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
  });

  it('has no inline script, which its security policy would block', () => {
    expect(matches(/<script(?![^>]* src=)[^>]*>/g, 0)).toEqual([]);
    expect(matches(/<[^>]+ (on\w+)=/g, 1)).toEqual([]);
  });

  it('receives every file that it names, with an X-Request-Id', async () => {
    const files = matches(/(?:src|href)=["'](\.[^"']+)["']/g, 1);
    expect(files).toContain('./docs/swagger-ui-bundle.js');
    for (const base of [`${service.url}/api/docs`, `${service.url}/api/docs/`]) {
      const html = await (await fetch(base)).text();
      for (const [, file = ''] of html.matchAll(/(?:src|href)=["'](\.[^"']+)["']/g)) {
        const response = await fetch(new URL(file, base), { headers: { 'x-request-id': 'mine' } });
        expect(`${file} ${response.status} ${response.headers.get('x-request-id')}`).toBe(`${file} 200 mine`);
      }
    }
  });

  it.each(['/', '/docs', '/docs/', '/docs?a=b'])(
    'is where %s leads, also behind a prefix that a proxy takes off',
    async (path) => {
      const { status, headers } = await fetch(service.url + path, { redirect: 'manual' });
      expect(status).toBe(302);
      const { pathname } = new URL(headers.get('location') ?? '', `https://intranet.example/users${path}`);
      expect(pathname).toBe('/users/api/docs');
    },
  );

  it.each(['', '/', '/index.html', '/swagger-ui-init.js', '/docs/swagger-ui-init.js', '-json'])(
    'has only GET and HEAD at /api/docs%s',
    async (path) => {
      const address = `${service.url}/api/docs${path}`;
      expect((await fetch(address, { method: 'HEAD' })).status).toBe(200);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const response = await fetch(address, { method });
        expect([method, response.status, response.headers.get('allow'), await response.json()]).toEqual([
          method,
          405,
          'GET, HEAD',
          { status: 405, message: expect.stringMatching(/./) as string },
        ]);
      }
    },
  );

  it.each(['GET', 'POST', 'OPTIONS'])('is answered 404 for an unknown file: %s', async (method) => {
    for (const path of ['/unknown.js', '/..%2fpackage.json', '/LICENSE', '/docs/unknown.js']) {
      const response = await fetch(`${service.url}/api/docs${path}`, { method });
      expect([path, response.status, await response.json()]).toEqual([
        path,
        404,
        { status: 404, message: expect.stringMatching(/./) as string },
      ]);
    }
  });

  it('remembers the token, and uses no external validator', async () => {
    expect(await uiOptions()).toMatchObject({ persistAuthorization: true, validatorUrl: 'none' });
  });

  it.each([
    ['#token=a.b.c', ['/api/docs']],
    ['#/Users/assignWorkspaces', []],
    ['', []],
  ])('removes the token from the address, and nothing else: %j', async (hash, expected) => {
    expect((await pageScript(hash)).addresses).toEqual(expected);
  });

  it.each(['a.b.c', ' a.b.c\n', 'Bearer a.b.c', 'bearer  Bearer a.b.c'])(
    'reads %j as the token a.b.c',
    async (pasted) => {
      const { script } = await pageScript();
      const { authorize } = script.plugin({ React: {} }).statePlugins.auth.wrapActions;
      const given: object[] = [];
      authorize((schemes) => given.push(schemes))({ bearer: { name: 'bearer', value: pasted } });
      expect(given).toEqual([{ bearer: { name: 'bearer', value: 'a.b.c' } }]);
    },
  );

  it('sends the token of the session instead of the placeholder in an example', async () => {
    const { script } = await pageScript();
    const body = JSON.stringify(MANAGE_STATUS.examples?.dee?.value, null, 2);
    const sent = script.prepareRequest({ headers: { Authorization: 'Bearer a.b.c' }, body });
    expect(JSON.parse(sent.body ?? '')).toEqual({ id: 'dee', token: 'a.b.c' });
  });

  it.each(['Bearer Bearer a.b.c', 'Bearer bearer  a.b.c', 'Bearer a.b.c'])(
    'sends %j as the token a.b.c',
    async (sent) => {
      const { script } = await pageScript();
      expect(script.prepareRequest({ headers: { Authorization: sent } }).headers).toEqual({
        Authorization: 'Bearer a.b.c',
      });
    },
  );

  it('sends a pasted token unchanged, and the placeholder unchanged without a session', async () => {
    const { script } = await pageScript();
    const pasted = '{"id":"dee","token":"d.e.f"}';
    expect(script.prepareRequest({ headers: { Authorization: 'Bearer a.b.c' }, body: pasted }).body).toBe(pasted);
    const example = '{"id":"dee","token":"<a token>"}';
    expect(script.prepareRequest({ headers: {}, body: example }).body).toBe(example);
  });
});
