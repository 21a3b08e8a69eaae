import { openApiFile } from '../support/declared-answers';
import { call } from '../support/record-calls';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const service = useTestService();
/** A path whose records are there. */
let webhook: string;

beforeAll(async () => {
  await writeSmallDirectory(service);
  const body = { url: 'https://hooks.example/any', events: ['user.created'] };
  webhook = ((await call(service, 'POST', '/api/webhooks', { body })).body as { id: string }).id;
});

async function expectRefusal(path: string, query: string, name: string): Promise<void> {
  const { status, body } = await call(service, 'GET', `${path.replace('WEBHOOK', webhook)}?${query}`);
  const message = `Please give a valid value for the query parameter ${name}.`;
  expect([path, query, status, body]).toEqual([path, query, 400, { status: 400, message }]);
}

const PAGES = Object.entries(openApiFile.paths)
  .filter(([, { get }]) => get?.parameters?.some(({ name }) => name === 'limit'))
  .map(([path]) => path.replace('/users/{id}', '/users/ben').replace('{id}', 'WEBHOOK'));
const LIMITS = ['', '0', '-1', '1.5', '1e2', '%201', '0x10', '99999999999999999999', 'x', '201', '10&limit=10'];
/** The last is of no page: a text that only looks like one. */
const CURSORS = ['', 'x', '1=', '1&cursor=1', '1;DROP TABLE', 'a'.repeat(10_000), 'eyJhIjoxfQ'];

it('all pages of the interface are in this table', () => {
  expect(PAGES.length).toBeGreaterThanOrEqual(9);
});

describe.each(PAGES)('GET %s', (path) => {
  it.each([
    ['limit', LIMITS],
    ['cursor', CURSORS],
  ])('refuses each bad %s', async (name, values) => {
    for (const value of values) await expectRefusal(path, `${name}=${value}`, name);
  });
});

const CURSOR = '1-0123456789ab';

describe('GET /api/journal', () => {
  it.each<[string, string[]]>([
    ['user', ['user=', 'user=ada&user=ben', 'after=now&user=']],
    ['workspace', ['workspace=', 'workspace=atlas&workspace=atlas']],
    ['actor', ['actor=']],
    ['action', ['action=', 'action=user.forgotten', 'action=constructor', 'action=user.type.changed&action=']],
    ['action', ['action=user.type.changed&action=user.forgotten', 'action=user.type.changed,user.status.changed']],
    ['from', ['from=', 'from=2030', 'from=2030-01-01', 'from=2030-01-01T00:00:00', 'from=2030-02-30T00:00:00Z']],
    ['from', ['from=2030-13-01T00:00:00Z', 'from=2030-01-01T00:00:00+01:00', 'from=2030-01-01T25:00:00Z']],
    ['from', ['from=+012030-01-01T00:00:00Z', 'from=1893456000000']],
    ['to', ['to=now', 'to=2030-01-01T00:00:00Z&to=2030-01-01T00:00:00Z']],
    ['limit', ['after=now&limit=0', 'limit=201&brief=false', 'limit=10000', 'limit=10001&brief=true']],
    ['brief', ['brief=', 'brief=1', 'brief=yes', 'brief=TRUE']],
    ['cursor', ['0', '01', '-1', '1.0', '1e3', '9007199254740992', CURSOR].map((value) => `cursor=${value}`)],
    ['cursor', ['after=now&cursor=1', `after=${CURSOR}&cursor=1`]],
    ['after', ['', 'NOW', 'x', CURSOR.slice(0, -1), `${CURSOR}0`, `0${CURSOR}`, '1'].map((value) => `after=${value}`)],
    ['after', [`after=9007199254740992-0123456789ab`, `after=${'A'.repeat(5_000)}`, `after=${CURSOR}&after=${CURSOR}`]],
    ['wait', ['', '26', '-1', '1.5', 'x', '1&wait=1'].map((value) => `after=now&wait=${value}`)],
    ['wait', ['wait=1']],
  ])('refuses each bad %s', async (name, queries) => {
    for (const query of queries) await expectRefusal('/api/journal', query, name);
  });
});

it('GET /api/webhooks/{id}/deliveries refuses each bad state, and a cursor of another webhook', async () => {
  const path = '/api/webhooks/WEBHOOK/deliveries';
  for (const query of ['state=x', 'state=']) await expectRefusal(path, query, 'state');
  await expectRefusal(path, 'cursor=msg_x_0', 'cursor');
});
