import { connect } from 'node:net';
import { ask } from '../support/ask';
import { ScimApi } from './scim-api';

const api = ScimApi.forEachTest();
let token: string;

beforeEach(async () => {
  ({ token } = await api.connect());
});

const scim = (method: string, path: string, body?: unknown, headers: object = {}) =>
  api.send(token, method, `/scim/v2${path}`, body, headers);

const error = (status: number, detail: unknown = expect.any(String), scimType?: string): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType && { scimType }),
  detail,
});

it.each([
  ['GET', '/Users', 401],
  ['POST', '/Groups', 401],
  ['GET', '/ServiceProviderConfig', 401],
  ['GET', '/Schemas', 401],
  ['GET', '/Me', 401],
  ['POST', '/Bulk', 401],
  ['GET', '/Nothing', 404],
  ['GET', '/', 401],
  ['GET', '', 401],
  ['GET', '//Users', 401],
  ['GET', '//Nothing', 404],
])('%s %s without a token is refused in the form of SCIM', async (method, path, status) => {
  const answer = await ask(`${api.service.url}/scim/v2${path}`, { method });
  expect([answer.status, JSON.parse(answer.text)]).toEqual([status, error(status)]);
  expect(answer.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
  expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
});

it.each<[method: string, path: string, status: number, scimType: string | undefined, body?: unknown, headers?: object]>(
  [
    ['GET', '/Me', 501, undefined],
    ['PATCH', '/Me/', 501, undefined, {}],
    ['POST', '/Bulk', 501, undefined, { schemas: [], Operations: [] }],
    ['POST', '/.search', 501, undefined, {}],
    ['POST', '/Users/.search', 501, undefined, {}],
    ['POST', '/Groups/.search', 501, undefined, {}],
    ['DELETE', '/Schemas', 405, undefined],
    ['PUT', '/ServiceProviderConfig', 405, undefined, {}],
    ['POST', '', 405, undefined, {}],
    ['DELETE', '//Schemas', 405, undefined],
    ['GET', '/Schemas/urn:other', 404, undefined],
    ['GET', '/ResourceTypes/constructor', 404, undefined],
    ['GET', '/Users/%ff', 400, 'invalidSyntax'],
    ['POST', '/Bulk', 400, 'invalidSyntax', '{"schemas":'],
    ['POST', '/Bulk', 413, undefined, 'x'.repeat(70_000)],
    ['POST', '/Bulk', 415, undefined, '<x/>', { 'content-type': 'text/xml' }],
    ['POST', '/Bulk', 415, undefined, '{}', { 'content-type': 'application/scim+json; charset=latin1' }],
  ],
)('%s %s is refused with %s', async (method, path, status, scimType, ...rest) => {
  const [body, headers = {}] = rest as [body?: unknown, headers?: object];
  const answer = await scim(method, path, body, { accept: 'application/problem+json', ...headers });
  expect([answer.status, JSON.parse(answer.text)]).toEqual([status, error(status, expect.any(String), scimType)]);
  expect(answer.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
});

it('reads bodies of its own type, and tells which a PATCH can have', async () => {
  const read = await scim('POST', '/Bulk', '{}', { 'content-type': 'application/scim+json; charset=utf-8' });
  expect(read.status).toBe(501);
  const refused = await scim('PATCH', '/Me', '{}', { 'content-type': 'application/merge-patch+json' });
  expect(refused.status).toBe(415);
  expect(refused.headers.get('accept-patch')).toBe('application/scim+json, application/json');
  const elsewhere = await api.call('PATCH', '/users/ada', '{}', { 'content-type': 'application/scim+json' });
  expect([elsewhere.status, elsewhere.text]).toEqual([415, expect.stringContaining('{"status":415,')]);
});

it('answers what cannot be read as a request in the form of SCIM', async () => {
  const { port } = new URL(api.service.url);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.end('GET /scim/v2/Users HTTP/1.1\r\nbad header\r\n\r\n'),
    );
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
  expect(answer).toContain('Content-Type: application/scim+json');
  expect(answer).toContain('"status":"400"');
});

interface Resource {
  id: string;
  meta: { location: string };
  attributes?: { name: string; subAttributes?: { name: string }[] }[];
}

it('describes itself, with addresses that lead to what they describe', async () => {
  const config = JSON.parse((await scim('GET', '/ServiceProviderConfig/?aadOptscim062020')).text) as object;
  expect(config).toEqual({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [expect.objectContaining({ type: 'oauthbearertoken', primary: true })],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: `${api.service.url}/scim/v2/ServiceProviderConfig`,
    },
  });
  const ids = {
    ResourceTypes: ['User', 'Group'],
    Schemas: ['core:2.0:User', 'extension:enterprise:2.0:User', 'core:2.0:Group'],
  };
  for (const [path, expected] of Object.entries(ids)) {
    const answer = await scim('GET', `/${path}`);
    const list = JSON.parse(answer.text) as { totalResults: number; Resources: Resource[] };
    expect(answer.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    expect(list.totalResults).toBe(expected.length);
    expect(list.Resources.map(({ id }) => id.replace('urn:ietf:params:scim:schemas:', ''))).toEqual(expected);
    for (const resource of list.Resources) {
      const one = await api.send(token, 'GET', resource.meta.location.replace(api.service.url, ''));
      expect(JSON.parse(one.text)).toEqual(resource);
    }
  }
});

it('declares no attribute that it does not keep', async () => {
  const { attributes } = JSON.parse(
    (await scim('GET', '/Schemas/URN:ietf:params:scim:schemas:core:2.0:User')).text,
  ) as Resource;
  const names = attributes?.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['userName', 'name', 'emails', 'active', 'addresses']));
  expect(names).not.toEqual(expect.arrayContaining(['password']));
  expect(attributes?.find(({ name }) => name === 'active')).toEqual({
    name: 'active',
    type: 'boolean',
    multiValued: false,
    description: expect.any(String),
    required: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
  });
});
