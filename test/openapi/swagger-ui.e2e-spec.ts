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

function of(headers: Headers, ...names: string[]): (string | null)[] {
  return names.map((name) => headers.get(name));
}

function matches(pattern: RegExp, group: number): string[] {
  return [...page.matchAll(pattern)].map((match) => match[group] ?? '');
}

interface PageRequest {
  headers: Record<string, string>;
  body?: string;
}

interface UiOptions {
  persistAuthorization?: boolean;
  validatorUrl: string;
  filter: boolean;
  requestInterceptor(request: PageRequest): PageRequest;
}

const FILE = /(?:src|href)="(\.[^"]+)"/g;

/** What the page's script gives to Swagger UI in a browser that has just enough for it, and the addresses that it replaced its own by. */
async function pageScript(hash = ''): Promise<{ options: UiOptions; addresses: string[] }> {
  const addresses: string[] = [];
  const given: UiOptions[] = [];
  const script = matches(FILE, 1).find((file) => file.endsWith('/page.js')) ?? '';
  runInNewContext(await (await fetch(new URL(script, `${service.url}/api/docs`))).text(), {
    SwaggerUIBundle: Object.assign((options: UiOptions) => given.push(options), { presets: {} }),
    location: { hash, pathname: '/api/docs', search: '', href: `${service.url}/api/docs` },
    history: { replaceState: (_state: unknown, _title: string, address: string) => addresses.push(address) },
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    document: { documentElement: { classList: { toggle: () => undefined } } },
    URLSearchParams,
    URL,
  });
  return { options: given[0] as UiOptions, addresses };
}

describe('the page of Swagger UI', () => {
  it('can load only files of this service, and cannot be framed', () => {
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
  });

  it('has no inline script or style, which its security policy would block', () => {
    expect(matches(/<script(?![^>]* src=)[^>]*>|<style|<[^>]+ (on\w+|style)=/g, 0)).toEqual([]);
  });

  it.each(['', '/', '/index.html'])(
    'receives every file that it names, compressed and for a year, at %j',
    async (end) => {
      const address = `${service.url}/api/docs${end}`;
      const html = await fetch(address);
      expect(html.headers.get('cache-control')).toBe('no-cache');
      const files = [...(await html.text()).matchAll(FILE)].map(([, file = '']) => file);
      expect(files.map((file) => file.replace(/[0-9a-f]{16}/, 'hash').replace('./docs/', './'))).toEqual(
        ['swagger-ui.css', 'page.css', 'swagger-ui-bundle.js', 'page.js'].map((name) => `./hash/${name}`),
      );
      for (const file of files) {
        const { status, headers } = await fetch(new URL(file, address), { headers: { 'x-request-id': 'mine' } });
        expect([file, status, ...of(headers, 'cache-control', 'content-encoding', 'vary', 'x-request-id')]).toEqual([
          file,
          200,
          'public, max-age=31536000, immutable',
          'gzip',
          expect.stringContaining('Accept-Encoding'),
          'mine',
        ]);
      }
    },
  );

  it('sends its files as they are to who cannot decompress them, and not for a year under an earlier hash', async () => {
    for (const path of ['/api/docs/0123456789abcdef/page.js', '/api/docs-json']) {
      const { headers } = await fetch(service.url + path, { headers: { 'accept-encoding': 'identity' } });
      expect(of(headers, 'content-encoding', 'vary')).toEqual([null, 'Accept-Encoding']);
      expect(headers.get('cache-control')).toMatch(/^no-(cache|store)$/);
    }
  });

  it('takes fewer bytes than 600,000 at first', async () => {
    const files = matches(FILE, 1).map((file) => new URL(file, `${service.url}/api/docs`).href);
    const sizes = await Promise.all(
      [`${service.url}/api/docs`, `${service.url}/api/docs-json`, ...files].map(async (file) =>
        Number((await fetch(file, { method: 'HEAD' })).headers.get('content-length')),
      ),
    );
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(600_000);
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

  it.each(['', '/', '/index.html', '/0123456789abcdef/page.js', '-json'])(
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
    for (const path of ['/unknown.js', '/..%2fpackage.json', '/LICENSE', '/page.js', '/0123456789abcdef/unknown.js']) {
      const response = await fetch(`${service.url}/api/docs${path}`, { method });
      expect([path, response.status, await response.json()]).toEqual([
        path,
        404,
        { status: 404, message: expect.stringMatching(/./) as string },
      ]);
    }
  });

  it('leaves the token to the script of the page, and uses no external validator', async () => {
    const { options } = await pageScript();
    expect(options).toMatchObject({ validatorUrl: 'none', filter: true });
    expect(options).not.toHaveProperty('persistAuthorization');
  });

  it.each([
    ['#token=a.b.c', ['/api/docs']],
    ['#/Users/assignWorkspaces', []],
    ['', []],
  ])('removes the token from the address, and nothing else: %j', async (hash, expected) => {
    expect((await pageScript(hash)).addresses).toEqual(expected);
  });

  it('sends the token of the session instead of the placeholder in an example', async () => {
    const { options } = await pageScript();
    const body = JSON.stringify(MANAGE_STATUS.examples?.dee?.value, null, 2);
    const sent = options.requestInterceptor({ headers: { Authorization: 'Bearer a.b.c' }, body });
    expect(JSON.parse(sent.body ?? '')).toEqual({ id: 'dee', token: 'a.b.c' });
  });

  it.each(['Bearer Bearer a.b.c', 'Bearer bearer  a.b.c', 'Bearer  a.b.c\n', 'Bearer a.b.c'])(
    'sends %j as the token a.b.c',
    async (sent) => {
      const { options } = await pageScript();
      expect(options.requestInterceptor({ headers: { Authorization: sent } }).headers).toEqual({
        Authorization: 'Bearer a.b.c',
      });
    },
  );

  it('sends a pasted token unchanged, and the placeholder unchanged without a session', async () => {
    const { options } = await pageScript();
    const pasted = '{"id":"dee","token":"d.e.f"}';
    expect(options.requestInterceptor({ headers: { Authorization: 'Bearer a.b.c' }, body: pasted }).body).toBe(pasted);
    const example = '{"id":"dee","token":"<a token>"}';
    expect(options.requestInterceptor({ headers: {}, body: example }).body).toBe(example);
  });
});
