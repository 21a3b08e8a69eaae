import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { LIMITS } from '../../src/contract/limits';
import { type Answer, ask, post } from '../support/ask';
import { useTestService } from '../support/test-service';
import { expectFailure } from '../support/good-manners';
import { rawRequest } from '../support/raw-http';

const service = useTestService();
let authorization: string;

beforeAll(async () => {
  await service.directory.user('ada', { type: 'administrator' });
  await service.directory.user('ben');
  authorization = `Bearer ${service.tokenOf('ada')}`;
});

const ASSIGN = '/api/users/workspace-assign';
const STATUS = '/api/users/manage-status';
const JSON_TYPE = { 'content-type': 'application/json' };
const NOT_JSON = 'The request body is not valid JSON. Please correct it and try again.';
const TOO_LARGE = 'The request body is too large. Please split it into smaller requests.';
const OF_ANOTHER_TYPE = 'Please send the request body as JSON (Content-Type: application/json).';
const ENCODED = 'Please send the request body in UTF-8 and without compression.';
const USER_REQUIRED = '{"status":400,"message":"Please select at least one user."}';

type Body = string | Buffer | FormData | URLSearchParams;

function send(path: string, body: Body, headers: Record<string, string>): Promise<Answer> {
  const init = { method: 'POST', headers: { authorization, ...headers }, body: body as RequestInit['body'] };
  return ask(service.url + path, init);
}

/** Of the same routes. */
const SPELLINGS = [`${STATUS}/`, `${ASSIGN}/`, `${ASSIGN}?dryRun=false`];

describe.each([ASSIGN, STATUS])('a body at %s', (path) => {
  it.each<[string, string | Buffer]>([
    ['cut in the middle', '{"userIds":["ben"'],
    ['with a comma too many', '{"userIds":["ben",]}'],
    ['of a bare word', 'ben'],
    ['of a number that JSON does not know', '{"id":NaN}'],
    ['in single quotes', "{'id':'ben'}"],
    ['of a form that says it is JSON', 'id=ben&token=x'],
    ['of white space', '   '],
    ['of NUL', '\0'],
    ['of two values', '{} {}'],
    ['in Latin 1', Buffer.from('{"userIds":["bén"]}', 'latin1')],
    ['in UTF-8 that is cut', Buffer.from('{"userIds":["é').subarray(0, -1)],
    ['in overlong UTF-8', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['with a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['in UTF-16', Buffer.from('{"userIds":[]}', 'utf16le')],
    ['that is gzipped and does not say so', gzipSync('{"userIds":[]}')],
  ])('%s is not JSON', async (_, body) => {
    await expectFailure(send(path, body, JSON_TYPE), path, 400, NOT_JSON);
  });

  it.each<[string, Body, Record<string, string>]>([
    ['a form', new URLSearchParams({ id: 'ben' }), {}],
    ['a multipart form', new FormData(), {}],
    ['text', '{"id":"ben"}', { 'content-type': 'text/plain' }],
    ['XML', '<id>ben</id>', { 'content-type': 'application/xml' }],
    ['JSON lines', '{"id":"ben"}', { 'content-type': 'application/x-ndjson' }],
    ['JSON by another name', '{"id":"ben"}', { 'content-type': 'text/json' }],
    ['of an empty type', '{"id":"ben"}', { 'content-type': '' }],
    ['of a type that is none', '{"id":"ben"}', { 'content-type': 'json' }],
    ['of a type that only begins like it', '{"id":"ben"}', { 'content-type': 'application/json-seq' }],
  ])('%s is not supported', async (_, body, headers) => {
    const answer = await send(path, body, headers);
    // RFC 9110 section 12.5.3: it would say that the encoding is the reason.
    expect(answer.headers.has('accept-encoding')).toBe(false);
    await expectFailure(Promise.resolve(answer), path, 415, OF_ANOTHER_TYPE);
  });

  it.each<[string, string | Buffer, Record<string, string>]>([
    ['gzipped', gzipSync('{"userIds":[]}'), { 'content-encoding': 'gzip' }],
    ['deflated', deflateSync('{"userIds":[]}'), { 'content-encoding': 'deflate' }],
    ['in brotli', brotliCompressSync('{"userIds":[]}'), { 'content-encoding': 'br' }],
    ['gzipped and cut', gzipSync('{"userIds":["ben"]}').subarray(0, 20), { 'content-encoding': 'gzip' }],
    ['that says it is gzipped and is not', '{"userIds":["ben"]}', { 'content-encoding': 'gzip' }],
    ['in an unknown encoding', '{"id":"ben"}', { 'content-encoding': 'zip' }],
    ['in two encodings', '{"id":"ben"}', { 'content-encoding': 'gzip, gzip' }],
    ['in no encoding, by name', '{"id":"ben"}', { 'content-encoding': 'identity' }],
    ['in Latin 1', '{"id":"ben"}', { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['in UTF-16', '{"id":"ben"}', { 'content-type': 'application/json; charset="utf-16"' }],
    ['in an unknown charset', '{"id":"ben"}', { 'content-type': 'application/json;charset=klingon' }],
    ['in two charsets', '{"id":"ben"}', { 'content-type': 'application/json; charset=utf-8; charset=utf-7' }],
  ])('%s is refused before it is read', async (_, body, headers) => {
    const answer = await send(path, body, { ...JSON_TYPE, ...headers });
    expect(answer.headers.get('accept-encoding')).toBe('identity');
    await expectFailure(Promise.resolve(answer), path, 415, ENCODED);
  });

  it('without any type is not supported', async () => {
    const answer = rawRequest(
      service.url,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    await expectFailure(answer, path, 415, OF_ANOTHER_TYPE);
  });

  it('of the limit is read, and a byte more is too large, also in chunks', async () => {
    const { limit, read } = limitAt(path);
    const largest = '{}'.padEnd(limit);
    expect((await send(path, largest, JSON_TYPE)).text).toBe(read);
    expect((await sendInChunks(path, largest)).text).toBe(read);
    await expectFailure(send(path, `${largest} `, JSON_TYPE), path, 413, TOO_LARGE);
    await expectFailure(sendInChunks(path, `${largest} `), path, 413, TOO_LARGE);
  });
});

it.each(SPELLINGS)('a body is judged alike at %s', async (path) => {
  await expectFailure(send(path, '{', JSON_TYPE), path, 400, NOT_JSON);
  await expectFailure(send(path, '{}', { 'content-type': 'text/plain' }), path, 415, OF_ANOTHER_TYPE);
  await expectFailure(send(path, '{}', { ...JSON_TYPE, 'content-encoding': 'gzip' }), path, 415, ENCODED);
});

// The service waits a while for the body before it answers, so all of them are sent at once.
it('a body that says it is longer than the limit is too large, before it is sent', async () => {
  const refused = [ASSIGN, STATUS, ...SPELLINGS].map((path) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${limitAt(path).limit + 1}\r\nConnection: close\r\n\r\n`;
    return expectFailure(rawRequest(service.url, head), path, 413, TOO_LARGE);
  });
  await Promise.all(refused);
});

/** Of a route: its limit, and the answer to a body without fields. */
function limitAt(path: string): { limit: number; read: string } {
  return path.startsWith(ASSIGN)
    ? { limit: LIMITS.listBodyBytes, read: USER_REQUIRED }
    : { limit: LIMITS.bodyBytes, read: '{"status":"error","message":"Invalid token or user ID"}' };
}

/** Without an announced length. */
function sendInChunks(path: string, body: string): Promise<Answer> {
  const stream = new Blob([body]).stream();
  return ask(service.url + path, {
    method: 'POST',
    headers: { authorization, ...JSON_TYPE },
    body: stream,
    duplex: 'half',
  } as RequestInit);
}

it.each(['/api/users/ben', '/api/webhooks/any'])('a PATCH of another type learns the right ones: %s', async (path) => {
  for (const headers of [{ 'content-type': 'text/plain' }, { ...JSON_TYPE, 'content-encoding': 'gzip' }]) {
    const answer = await ask(service.url + path, {
      method: 'PATCH',
      headers: { authorization, ...headers },
      body: '{}',
    });
    expect(answer.status).toBe(415);
    expect(answer.headers.get('accept-patch')).toBe('application/json, application/merge-patch+json');
  }
  const headers = { authorization, 'content-type': 'application/merge-patch+json' };
  expect((await ask(service.url + path, { method: 'PATCH', headers, body: '{}' })).status).not.toBe(415);
  expect((await send('/api/users', '{}', { 'content-type': 'text/plain' })).headers.has('accept-patch')).toBe(false);
});

describe('a body that the service does not read', () => {
  const bodies: [string, string, string][] = [
    ['that is not JSON', 'application/json', '{"userIds":["ben"'],
    ['of another type', 'text/plain', 'ben'],
    ['that is too large', 'application/json', ' '.repeat(LIMITS.listBodyBytes + 1)],
  ];

  it.each(bodies)('%s is answered 401 to a caller without a token', async (_, type, body) => {
    for (const [path, message] of [
      [ASSIGN, 'Please sign in with a valid token.'],
      [STATUS, 'Invalid token or user ID'],
    ] as const) {
      await expectFailure(post(service.url + path, body, { 'content-type': type }), path, 401, message);
    }
  });

  it.each(bodies)('%s is answered 403 to a caller who is no administrator', async (_, type, body) => {
    const headers = { 'content-type': type, authorization: `Bearer ${service.tokenOf('ben')}` };
    const message = 'Only an administrator can do this.';
    await expectFailure(post(service.url + ASSIGN, body, headers), ASSIGN, 403, message);
  });

  it.each(bodies)('%s does not hide that there is nothing, or another verb', async (_, type, body) => {
    const nothing = 'There is nothing at this address. Please check the path.';
    await expectFailure(post(`${service.url}/nothing`, body, { 'content-type': type }), '/nothing', 404, nothing);
    const put = await ask(service.url + ASSIGN, { method: 'PUT', headers: { 'content-type': type }, body });
    expect(put.status).toBe(405);
    expect(put.headers.get('allow')).toBe('POST');
  });

  it('is read to its end, so that a caller receives the answer before the connection closes', async () => {
    // More than a socket keeps, and little enough to arrive within the two seconds that the service waits for it.
    const length = 4 * 1024 * 1024;
    const head = `POST ${ASSIGN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
    for (let turn = 0; turn < 5; turn++) {
      expect(await wholeAnswer(service.url, head, length)).toMatch(/^HTTP\/1\.1 401 /);
    }
  });

  it('is not asked for when its caller waits to be asked', async () => {
    const expects = (path: string, token: string) =>
      rawRequest(
        service.url,
        `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
      );
    const began = performance.now();
    const refused = await Promise.all([expects(ASSIGN, 'none'), expects(ASSIGN, service.tokenOf('ben'))]);
    expect(refused.map(({ status }) => status)).toEqual([401, 403]);
    // The service waits two seconds for a body that may be on the way. This one is not.
    expect(performance.now() - began).toBeLessThan(2_000);
    const asked = connect(Number(new URL(service.url).port), '127.0.0.1');
    asked.write(
      `POST ${ASSIGN} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    asked.once('data', () => asked.write('{}'));
    expect(await text(asked)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });

  // RFC 9110 section 10.1.1: such a caller does not know what 100 means.
  it('is not asked for in HTTP/1.0', async () => {
    const answer = await rawRequest(
      service.url,
      `POST ${ASSIGN} HTTP/1.0\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{}`,
    );
    expect(answer.text).toBe(USER_REQUIRED);
  });
});

/** Writes all of a request, as fast as it is taken, and reads all of the answer; throws when the connection is reset. */
async function wholeAnswer(url: string, head: string, length: number): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const pieces = Array.from({ length: length / PIECE.length }, () => PIECE);
  const [answer] = await Promise.all([text(socket), pipeline([Buffer.from(head), ...pieces], socket, { end: false })]);
  return answer;
}
const PIECE = Buffer.alloc(64 * 1024, ' ');

describe('a body that is accepted', () => {
  it.each<[string, string | Buffer, Record<string, string>]>([
    ['in the charset of JSON', '{"userIds":[]}', { 'content-type': 'application/json; charset=UTF-8' }],
    ['in its charset, quoted', '{"userIds":[]}', { 'content-type': 'application/json;charset="utf-8"' }],
    ['with another parameter', '{"userIds":[]}', { 'content-type': 'application/json; profile=x' }],
    ['with a type in capitals', '{"userIds":[]}', { 'content-type': 'Application/JSON' }],
    ['with a byte order mark', '\ufeff{"userIds":[]}', JSON_TYPE],
    ['empty', '', JSON_TYPE],
  ])('%s', async (_, body, headers) => {
    expect((await send(ASSIGN, body, headers)).text).toBe(USER_REQUIRED);
  });

  it('in chunks of one byte', async () => {
    const bytes = [...'{"userIds":[]}'].map((byte) => `1\r\n${byte}\r\n`).join('');
    const answer = await rawRequest(
      service.url,
      `POST ${ASSIGN} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${bytes}0\r\n\r\n`,
    );
    expect(answer.text).toContain('Please select at least one user.');
  });
});
