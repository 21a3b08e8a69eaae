import { ask, post, steadyHeaders } from '../support/ask';
import { startTestService, useTestService } from '../support/test-service';
import { rawRequest } from '../support/raw-http';

const service = useTestService();

const MESSAGE = 'This request could not be read. Please check its format and try again.';
const TOO_LARGE = 'The headers of this request are too large: at most 16 KiB.';
const END = 'Host: x\r\nConnection: close\r\n\r\n';
/** The end of a request that does not ask for the end of its connection. */
const HOST = 'Host: x\r\n\r\n';
const MANY = 'a: b\r\n'.repeat(1_000);

describe('a request that Node by itself would answer without a body', () => {
  it('is answered 400 with a body if it has no host', async () => {
    const assign = await rawRequest(
      service.url,
      'POST /api/users/workspace-assign HTTP/1.1\r\nConnection: close\r\n\r\n',
    );
    expect(assign.text).toBe(JSON.stringify({ status: 400, message: MESSAGE }));
    expect(assign.status).toBe(400);
    expect(assign.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    const status = await rawRequest(
      service.url,
      'POST /api/users/manage-status HTTP/1.1\r\nAccept-Language: de\r\nX-Request-Id: mine\r\nConnection: close\r\n\r\n',
    );
    expect(JSON.parse(status.text)).toEqual({
      status: 'error',
      message: expect.stringMatching(/konnte nicht/) as string,
    });
    expect(status.headers.get('x-request-id')).toBe('mine');
  });

  it('is served without a host if it is HTTP/1.0', async () => {
    const answer = await rawRequest(service.url, 'GET /health/live HTTP/1.0\r\n\r\n');
    expect(answer.text).toBe('{"status":"ok"}');
  });

  it.each(['', 'x', 'a.b-c_d.example:8080', '127.0.0.1:3000', '[::1]:80', 'x:', 'xn--bcher-kva.example'])(
    'is served with the host %j',
    async (host) => {
      const request = `GET /health/live HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect((await rawRequest(service.url, request)).text).toBe('{"status":"ok"}');
    },
  );

  it('is served with an unknown expectation', async () => {
    const answer = await rawRequest(service.url, `GET /health/live HTTP/1.1\r\nExpect: miracles\r\n${END}`);
    expect(answer.text).toBe('{"status":"ok"}');
  });
});

describe('an ambiguous request', () => {
  it.each([
    ['two hosts', `GET /health/live HTTP/1.1\r\nHost: y\r\n${HOST}`],
    ['two equal hosts', `GET /health/live HTTP/1.1\r\nHost: x\r\n${HOST}`],
    ['a second host after a thousand other headers', `GET /health/live HTTP/1.1\r\nHost: y\r\n${MANY}${HOST}`],
    ['two hosts in HTTP/1.0', 'GET /health/live HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['chunks in HTTP/1.0', 'POST /health/live HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a coding before the chunks', `POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n${HOST}0\r\n\r\n`],
    ['a host with a blank', `GET /health/live HTTP/1.1\r\nHost: a b\r\n\r\n`],
    ['a host with a path', `GET /health/live HTTP/1.1\r\nHost: a/b\r\n\r\n`],
    ['a host with a user', `GET /health/live HTTP/1.1\r\nHost: a@b\r\n\r\n`],
    ['a list of hosts', `GET /health/live HTTP/1.1\r\nHost: a, b\r\n\r\n`],
    ['a port that is no number', `GET /health/live HTTP/1.1\r\nHost: a:b\r\n\r\n`],
    ['a host with a bracket', `GET /health/live HTTP/1.1\r\nHost: [::1\r\n\r\n`],
    ['a fragment in the target', `GET /health/live#x HTTP/1.1\r\n${HOST}`],
    ['an empty fragment', `GET /health/live?a=b# HTTP/1.1\r\n${HOST}`],
    ['a fragment in a whole address', `GET http://x/health/live#x HTTP/1.1\r\n${HOST}`],
    ['backslashes that a fragment turns into slashes', `GET /health\\live# HTTP/1.1\r\n${HOST}`],
  ])('is refused: %s', async (_, request) => {
    const answer = await rawRequest(service.url, request);
    expect(answer.text).toBe(JSON.stringify({ status: 400, message: MESSAGE }));
    expect(answer.headers.get('connection')).toBe('close');
  });

  it('is answered in the format of manage-status on that route', async () => {
    const answer = await rawRequest(service.url, `POST /api/users/manage-status#x HTTP/1.1\r\n${END}`);
    expect(answer.text).toBe(JSON.stringify({ status: 'error', message: MESSAGE }));
    expect(answer.status).toBe(400);
  });
});

describe('a malformed request', () => {
  it.each<[string, number, string]>([
    ['text that is not HTTP', 400, `SSH-2.0-OpenSSH_9.2\r\n\r\n`],
    ['a line break in the target', 400, `GET /a\nb HTTP/1.1\r\n${END}`],
    ['a CONNECT', 400, `CONNECT users.example.com:443 HTTP/1.1\r\n${END}`],
    ['an unknown method', 400, `FETCH /health/live HTTP/1.1\r\n${END}`],
    ['a header with a control character', 400, `GET / HTTP/1.1\r\nAccept-Language: d\x00e\r\n${END}`],
    ['a header without a name', 400, `GET / HTTP/1.1\r\n: x\r\n${END}`],
    ['a length that is not a number', 400, `POST / HTTP/1.1\r\nContent-Length: many\r\n${END}`],
    ['two lengths', 400, `POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n${END}`],
    ['a length and chunks', 400, `POST / HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n${END}`],
    ['headers of 100 KB', 431, `GET / HTTP/1.1\r\nX-Request-Id: ${'a'.repeat(100_000)}\r\n${END}`],
    ['a target of 100 KB', 431, `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${END}`],
  ])('is refused: %s', async (_, status, request) => {
    const answer = await rawRequest(service.url, request);

    expect(answer.text).toBe(JSON.stringify({ status, message: status === 431 ? TOO_LARGE : MESSAGE }));
    expect(answer.status).toBe(status);
    // As every other refusal.
    const readable = await rawRequest(service.url, `GET /nothing HTTP/1.1\r\n${END}`);
    expect(Object.fromEntries(answer.headers)).toEqual({
      ...steadyHeaders(readable),
      'content-length': String(answer.text.length),
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
    });
  });

  it.each<[string, number, string]>([
    ['headers of 100 KB', 431, `POST /api/users/manage-status?x HTTP/1.1\r\nAccept-Language: ${'de,'.repeat(40_000)}`],
    ['a method in lower case', 400, 'post /api/users/manage-status HTTP/1.1'],
    ['an unknown method with a hyphen', 400, 'X-CALL /api/users/manage-status HTTP/1.1'],
    ['a target with a scheme and a host', 400, 'POST http://users.example.com/api/users/manage-status HTTP/1.1\r\n: x'],
  ])('is answered in the format of manage-status on that route: %s', async (_, status, request) => {
    const answer = await rawRequest(service.url, `${request}\r\n${END}`);

    expect(answer.text).toBe(JSON.stringify({ status: 'error', message: status === 431 ? TOO_LARGE : MESSAGE }));
    expect(answer.status).toBe(status);
  });

  it('gets no answer behind another request, whose answer ends the connection', async () => {
    const answer = await rawRequest(service.url, `GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nno HTTP\r\n\r\n`);
    expect(answer.text).toBe('{"status":"ok"}');
  });

  it('is answered so that an ordinary client reads the answer, and can go on', async () => {
    const headers = { 'accept-language': 'de;q=0.5,'.repeat(12_000) };
    const answer = await post(`${service.url}/api/users/workspace-assign`, {}, headers);

    expect(answer.text).toBe(JSON.stringify({ status: 431, message: TOO_LARGE }));
    expect((await ask(`${service.url}/health/live`)).status).toBe(200);
  });
});

describe('a body that cannot be read', () => {
  const german = 'Diese Anfrage konnte nicht gelesen werden. Bitte prüfen Sie ihr Format und versuchen Sie es erneut.';
  const post = (path: string, headers: string[], body: string) =>
    [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers, '', body].join('\r\n');
  const authorized = () => `Authorization: Bearer ${service.serviceToken()}`;

  it.each<[string, number, string, string]>([
    ['a chunk without a length', 400, 'Transfer-Encoding: chunked', 'many\r\n{}\r\n'],
    ['an endless chunk extension', 413, 'Transfer-Encoding: chunked', `2;${'a'.repeat(20_000)}`],
  ])('is refused: %s', async (_, status, framing, body) => {
    const headers = [authorized(), 'Accept-Language: de', framing];
    const answer = await rawRequest(service.url, post('/api/users/manage-status', headers, body));
    expect(answer.text).toBe(JSON.stringify({ status: 'error', message: german }));
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-language')).toBe('de');
    expect(answer.headers.get('vary')).toBe('Accept-Language, Accept');

    const problem = await rawRequest(
      service.url,
      post('/api/users/manage-status', [...headers, 'Accept: application/problem+json'], body),
    );
    const title = status === 400 ? 'Bad Request' : 'Payload Too Large';
    expect(problem.text).toBe(
      JSON.stringify({ type: 'about:blank', title, status, detail: german, code: 'request.malformed' }),
    );
    expect(problem.headers.get('content-type')).toBe('application/problem+json');
    expect(problem.headers.get('content-length')).toBe(String(Buffer.byteLength(problem.text)));
  });
});

describe('with HEADERS_MAX_KIB', () => {
  it('larger headers are read, and too large ones are answered with the limit', async () => {
    const larger = await startTestService({ environment: { HEADERS_MAX_KIB: '64' } });
    try {
      const asked = (kib: number) =>
        post(`${larger.url}/api/users/workspace-assign`, {}, { x: 'a'.repeat(kib * 1024) });
      expect((await asked(60)).status).toBe(401);
      const { text } = await asked(70);
      expect(text).toBe('{"status":431,"message":"The headers of this request are too large: at most 64 KiB."}');
    } finally {
      await larger.close();
    }
  });
});
