import { LIMITS } from '../../src/contract/limits';
import { type Answer, assign, manageStatus, NOT_PERMITTED, post } from '../support/ask';
import { useTestService } from '../support/test-service';
import { rawRequest } from '../support/raw-http';
import { everyRow, writeSmallDirectory } from '../support/small-directory';

const service = useTestService();
let ada: string;
let before: string[];

beforeAll(async () => {
  await writeSmallDirectory(service);
  ada = service.tokenOf('ada');
  before = await everyRow(service);
  // The first request of a process compiles code and opens connections.
  await assign(service, ada, {});
});
afterEach(async () => {
  expect(await everyRow(service)).toEqual(before);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

/** Of computing in this process, which a busy machine does not lengthen. */
const PROMPT_CPU_MS = 1_000;
/** Of waiting, also for a database or a service in another process. A busy machine takes its time. */
const PROMPT_MS = 10_000;
const USER_REQUIRED = 'Please select at least one user.';
const USER_INVALID = 'Please select a valid User.';
const TOO_LARGE = 'The request body is too large. Please split it into smaller requests.';
const REFUSALS = {
  userIds: USER_INVALID,
  workspaces: 'Please select a valid Workspace.',
  groups: 'Please select a valid Group.',
};

async function promptly(answering: Promise<Answer>): Promise<Answer> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const answer = await answering;
  const { user, system } = process.cpuUsage(cpu);
  expect((user + system) / 1_000).toBeLessThan(PROMPT_CPU_MS);
  expect(performance.now() - start).toBeLessThan(PROMPT_MS);
  return answer;
}

async function expectAssignmentRefused(body: unknown, message: string, status = 400): Promise<void> {
  const answer = await promptly(assign(service, ada, body));
  expect(answer.text).toBe(JSON.stringify({ status, message }));
  expect(answer.status).toBe(status);
}

async function expectStatusRefused(body: unknown): Promise<void> {
  const answer = await promptly(manageStatus(service, ada, body));
  expect(answer.text).toBe(NOT_PERMITTED);
  expect(answer.status).toBe(401);
}

const deep = (levels: number, open: string, close: string): string => open.repeat(levels) + close.repeat(levels);

/** Values as JSON text: much of it no `JSON.stringify` would write. */
const WRONG_VALUES: [string, string][] = [
  ['a number', '7'],
  ['a number beyond all numbers', '1e999'],
  ['true', 'true'],
  ['an object', '{"0":"ben","length":1}'],
  ['an empty object', '{}'],
  ['lists 30,000 deep', deep(30_000, '[', ']')],
  ['objects 30,000 deep', `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`],
  ['objects 30,000 deep, by their prototypes', `${'{"__proto__":'.repeat(30_000)}1${'}'.repeat(30_000)}`],
  ['a prototype', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'],
  ['a list that says it is longer', '{"length":10000000000}'],
  ['an operator', '{"$ne":null}'],
];

const STRANGE_IDS: [string, string][] = [
  ['NUL', '"\\u0000"'],
  ['an id with NUL', '"ben\\u0000"'],
  ['a lone high surrogate', '"\\ud800"'],
  ['a lone low surrogate', '"ben\\udc00"'],
  ['surrogates the wrong way round', '"\\udc00\\ud800"'],
  ['5,000 characters', `"${'b'.repeat(5_000)}"`],
  ['256 characters', `"${'b'.repeat(256)}"`],
  ['256 characters beyond the basic plane', `"${'😀'.repeat(256)}"`],
  ['1 MB', `"${'b'.repeat(1_000_000)}"`],
  ['nothing', '""'],
  ['white space', '" "'],
  ['__proto__', '"__proto__"'],
  ['constructor', '"constructor"'],
  ['toString', '"toString"'],
  ['hasOwnProperty', '"hasOwnProperty"'],
  ['SQL', `"ben'; DROP TABLE users; --"`],
  ['a pattern', '"%"'],
  ['a list of PostgreSQL', '"{ben,cyd}"'],
  ['the null of PostgreSQL', '"NULL"'],
  ['a backslash', '"\\\\"'],
  ['a mark of byte order', '"\\ufeffben"'],
  ['letters that look alike', '"bеn"'],
  ['composed letters', '"bén"'],
];

describe('workspace-assign refuses, and writes nothing:', () => {
  const good = { userIds: '["ben"]', workspaces: '["atlas"]', groups: '["atlas-managers"]' };
  const withField = (field: string, value: string): string =>
    `{${Object.entries({ ...good, [field]: value })
      .map(([name, json]) => `"${name}":${json}`)
      .join(',')}}`;
  const fields = Object.entries(REFUSALS);

  it.each(WRONG_VALUES)('%s instead of each list, and in each list', async (_, value) => {
    for (const [field, message] of fields) {
      await expectAssignmentRefused(withField(field, value), message);
      await expectAssignmentRefused(withField(field, `[${value}]`), message);
    }
  });

  it.each(STRANGE_IDS)('%s in each list, alone and among others', async (_, id) => {
    for (const [field, message] of fields) {
      await expectAssignmentRefused(withField(field, `[${id}]`), message);
      await expectAssignmentRefused(
        withField(field, good[field as keyof typeof good].replace(']', `,${id}]`)),
        message,
      );
    }
  });

  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['a list of bodies', `[{"userIds":["ben"],"workspaces":["atlas"]}]`],
    ['a number', '7'],
    ['text', '"ben"'],
    ['true', 'true'],
    ['false', 'false'],
    ['an empty object', '{}'],
    ['nothing', ''],
    ['a prototype', '{"__proto__":{"userIds":["ben"],"workspaces":["atlas"],"polluted":true}}'],
    ['a constructor', '{"constructor":{"prototype":{"userIds":["ben"],"polluted":true}}}'],
    ['lists 30,000 deep', deep(30_000, '[', ']')],
    ['fields in another case', '{"userids":["ben"],"WORKSPACES":["atlas"]}'],
    ['fields in brackets', '{"userIds[]":["ben"],"userIds[0]":"ben"}'],
    ['100,000 fields', `{${Array.from({ length: 100_000 }, (_, n) => `"field${n}":0`).join(',')}}`],
  ])('a body that is %s', async (_, body) => {
    await expectAssignmentRefused(body, USER_REQUIRED);
  });

  it('a body with a deeply nested unknown field', async () => {
    await expectAssignmentRefused(
      `{"userIds":["nobody"],"workspaces":["atlas"],"more":${deep(30_000, '[', ']')}}`,
      USER_INVALID,
    );
  });

  describe('a body of 16 MiB', () => {
    const most = (parts: number) => Math.floor((LIMITS.listBodyBytes - 100) / parts);
    const withMore = (more: string) => `{"userIds":["nobody"],"workspaces":["atlas"],"more":${more}}`;

    it.each([
      ['lists in lists', () => withMore(deep(most(2), '[', ']'))],
      ['lists in lists, cut', () => '['.repeat(LIMITS.listBodyBytes)],
      ['objects in objects', () => withMore(`${'{"":'.repeat(most(5))}0${'}'.repeat(most(5))}`)],
      ['lists a hundred deep', () => withMore(`[${`${deep(100, '[', ']')},`.repeat(most(201))}0]`)],
      ['lists side by side', () => withMore(`[${'[],'.repeat(most(3))}0]`)],
      ['fields', () => withMore(`{${'"field":0,'.repeat(most(10))}"last":0}`)],
    ])('of %s, without parsing it', async (_, body) => {
      await expectAssignmentRefused(body(), TOO_LARGE, 413);
    });

    it('of text that looks like lists', async () => {
      await expectAssignmentRefused(withMore(`"${'['.repeat(most(1))}"`), USER_INVALID);
    });
  });

  it('as many lists as a body can hold, in an unknown field', async () => {
    // The body itself, its two lists and its three fields.
    const more = LIMITS.bodyStructure - 6;
    const body = (lists: number) => `{"userIds":["nobody"],"workspaces":["atlas"],"more":${deep(lists, '[', ']')}}`;
    await expectAssignmentRefused(body(more), USER_INVALID);
    await expectAssignmentRefused(body(more + 1), TOO_LARGE, 413);
  });

  it('a list of a hundred thousand invalid values', async () => {
    await expectAssignmentRefused(`{"userIds":[${'0,'.repeat(99_999)}0],"workspaces":["atlas"]}`, USER_INVALID);
  });
});

describe('manage-status refuses, and writes nothing:', () => {
  const small = [...WRONG_VALUES, ...STRANGE_IDS].filter(([, value]) => value.length < LIMITS.bodyBytes / 2);

  it.each(small)('%s instead of an id, and instead of a token', async (_, value) => {
    await expectStatusRefused(`{"id":${value},"token":"${ada}"}`);
    await expectStatusRefused(`{"id":[${value}],"token":"${ada}"}`);
    await expectStatusRefused(`{"id":"ben","token":${value}}`);
    await expectStatusRefused(`{"id":"ben","token":["${ada}",${value}]}`);
  });

  it.each(['null', '[]', '7', '"ben"', 'true', '{}', ''])('the body %s', async (body) => {
    await expectStatusRefused(body);
  });

  it('a body whose fields are in its prototype', async () => {
    await expectStatusRefused(`{"__proto__":{"id":"ben","token":"${ada}","polluted":true}}`);
    await expectStatusRefused(`{"constructor":{"prototype":{"id":"ben","token":"${ada}","polluted":true}}}`);
  });
});

describe('headers', () => {
  const hostile: [string, Record<string, string>][] = [
    ['a language of 15,000 characters', { 'accept-language': 'a'.repeat(15_000) }],
    ['5,000 languages', { 'accept-language': 'de,'.repeat(5_000) }],
    ['weights without end', { 'accept-language': `de;q=0.${'9'.repeat(14_000)}` }],
    ['a language of many subtags', { 'accept-language': 'de'.padEnd(15_000, '-a') }],
    ['separators alone', { 'accept-language': ';,='.repeat(5_000) }],
    ['a language by a prototype', { 'accept-language': '__proto__, constructor;q=0.5' }],
    ['a language that is a path', { 'accept-language': '../../../../etc/passwd' }],
    ['a type of 15,000 characters', { accept: 'a/'.repeat(7_000) }],
    ['5,000 types', { accept: 'a/b,'.repeat(3_500) }],
    ['a request id of 15,000 characters', { 'x-request-id': 'a'.repeat(15_000) }],
    ['a request id of markup', { 'x-request-id': '"><script>alert(1)</script>' }],
    ['a token of 15,000 characters', { 'x-other': 'a', authorization: `Bearer ${'a.'.repeat(7_000)}` }],
    ['a scheme of white space', { authorization: `Bearer ${' '.repeat(14_000)}x` }],
  ];

  it.each(hostile)('%s', async (_, headers) => {
    const tokens = { authorization: `Bearer ${ada}`, ...headers };
    const message = headers.authorization ? 'Please sign in with a valid token.' : USER_REQUIRED;
    const status = headers.authorization ? 401 : 400;

    const assigned = await promptly(post(`${service.url}/api/users/workspace-assign`, {}, tokens));
    // A language of many subtags is still that language.
    if (assigned.headers.get('content-language') === 'en') {
      expect(assigned.text).toBe(JSON.stringify({ status, message }));
    } else {
      expect(assigned.headers.get('content-language')).toBe('de');
    }
    expect(assigned.status).toBe(status);
    expect(assigned.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);

    const toggled = await promptly(post(`${service.url}/api/users/manage-status`, {}, tokens));
    expect(Object.keys(JSON.parse(toggled.text) as object)).toEqual(['status', 'message']);
    expect(toggled.status).toBe(401);
  });

  it('lines that a request id would break into', async () => {
    const answer = await rawRequest(
      service.url,
      `GET /nothing HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\n Set-Cookie: b=c\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.headers.has('set-cookie')).toBe(false);
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });
});
