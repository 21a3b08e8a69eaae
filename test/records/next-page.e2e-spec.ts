import { type ContractService, startContractService } from '../support/contract-service';
import { rawRequest } from '../support/raw-http';

const USER = '%41"<>^`{|}/b';

let service: ContractService;

beforeAll(async () => {
  service = await startContractService();
  const { directory } = service;
  await directory.permission('users.administer', 'administrator');
  await directory.user('ada', { type: 'administrator', permissions: ['users.administer'] });
  await directory.user(USER);
  for (const id of ['why?', 'why? #1', 'why? <2>']) {
    await directory.workspace(id);
    await directory.member(USER, id);
  }
});
afterAll(() => service.close());

/** Sends the target as it is: `fetch` would encode it. */
async function get(target: string) {
  const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`;
  const { headers, text } = await rawRequest(
    service.url,
    `${head}Authorization: Bearer ${service.tokenOf('ada')}\r\n\r\n`,
  );
  return { link: headers.get('link'), body: JSON.parse(text) as { next: string } };
}

/** `next` is the last field. */
const recordsOf = (body: object): unknown => Object.values(body)[0];

describe('Link', () => {
  it.each([
    ['a question mark in the query', '/api/workspaces?search=why?&limit=1', '/api/workspaces?search=why%3F&limit=1'],
    ['a question mark in front', '/api/workspaces??sort=x&limit=1', '/api/workspaces?%3Fsort=x&limit=1'],
    [
      'repeated parameters',
      '/api/workspaces?id=why?&limit=1&id=why?+%231',
      '/api/workspaces?id=why%3F&id=why%3F%20%231&limit=1',
    ],
    ['scheme and host', 'http://elsewhere.example/api/workspaces?limit=1', '/api/workspaces?limit=1'],
    [
      'any path',
      '/api/users/%2541"<>^`{|}%2fb/memberships?limit=1',
      '/api/users/%2541%22%3C%3E%5E%60%7B%7C%7D%2fb/memberships?limit=1',
    ],
    ['characters that no address has', '/api/workspaces?limit=1&x=<>"', '/api/workspaces?limit=1&x=%3C%3E%22'],
  ])('leads to the next page of a target with %s', async (_, target, expected) => {
    const first = await get(target);
    const [, next = ''] = /^<([^<>" ]+)>; rel="next"$/.exec(first.link ?? '') ?? [];
    expect(next).toBe(`${expected}&cursor=${first.body.next}`);
    const second = recordsOf((await get(next)).body);
    expect(second).toEqual(recordsOf((await get(`${target}&cursor=${first.body.next}`)).body));
    expect(second).toHaveLength(1);
  });
});
