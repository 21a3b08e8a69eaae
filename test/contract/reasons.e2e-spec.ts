import { BulkTrial } from './bulk-operations';
import { querySealed } from '../support/sealed';

const REFUSED = '{"status":400,"message":"Please give a reason of 1 to 500 characters."}';

/** Operations that take a reason, with a body that each of them carries out. */
const OPERATIONS: [operation: string, body: object, action: string][] = [
  ['workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] }, 'user.workspaces.assigned'],
  ['workspace-unassign', { userIds: ['max'], workspaces: ['atlas'] }, 'user.workspaces.unassigned'],
  ['status-assign', { userIds: ['ben'], status: 'inactive' }, 'user.status.changed'],
  ['status-tokens', { id: 'ben', status: 'inactive' }, 'user.status_token.minted'],
];

const trial = BulkTrial.forEachTest();

async function recorded(action: string): Promise<unknown> {
  const [entry] = await querySealed<object[]>(
    trial.service.dataSource,
    'SELECT reason FROM journal_entries WHERE action = $1 ORDER BY id DESC LIMIT 1',
    [action],
  );
  return (entry as { reason: string | null }).reason;
}

const BAD: unknown[] = [
  '',
  'x'.repeat(501),
  '\u{1f600}'.repeat(501),
  // A variation selector counts.
  `${'x'.repeat(499)}\u2764\ufe0f`,
  7,
  ['x'],
  false,
  'a\0b',
  'a\ud800',
];
const PREFERENCES = ['', 'handling=lenient', 'return=representation, handling=strict'];

describe.each(OPERATIONS)('%s', (operation, body, action) => {
  it.each([['\u{1f600}'.repeat(500)], [' '], [null], [undefined]])(
    'keeps the reason %.20j in the journal',
    async (reason) => {
      expect((await trial.call(operation, { ...body, reason })).status).toBe(200);
      expect(await recorded(action)).toBe(reason ?? null);
    },
  );

  it('refuses any other reason, and changes nothing', async () => {
    const before = await trial.traces();
    for (const reason of BAD)
      for (const prefer of PREFERENCES) {
        const answer = await trial.call(operation, { ...body, reason }, { prefer });
        expect([reason, prefer, answer.status, answer.text]).toEqual([reason, prefer, 400, REFUSED]);
      }
    expect(await trial.traces()).toEqual(before);
  });
});

describe('a bad reason', () => {
  // For the operations on many users: see `refused-operations.e2e-spec.ts`.
  it('of a status token is judged after the other shapes, and before existence', async () => {
    const body = { status: 'inactive', reason: '' };
    expect((await trial.call('status-tokens', { ...body, id: 'nobody' })).text).toBe(REFUSED);
    const answer = await trial.call('status-tokens', { ...body, id: 7 });
    expect(answer.text).toBe('{"status":400,"message":"Please select a valid User."}');
  });

  it('is a place in problem documents', async () => {
    const headers = { accept: 'application/problem+json' };
    const body = { userIds: ['ben'], workspaces: ['atlas'], reason: [] };
    const answer = await trial.call('workspace-unassign', body, headers);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'reason.invalid', errors: [{ pointer: '/reason' }] });
  });
});
