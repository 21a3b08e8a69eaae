import { post, UNAUTHENTICATED } from '../support/ask';
import { BulkTrial } from './bulk-operations';

const trial = BulkTrial.forAllTests();

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `id-${index}`);
const [USER_REQUIRED, USER_INVALID] = ['Please select at least one user.', 'Please select a valid User.'];
const [WORKSPACE_REQUIRED, WORKSPACE_INVALID] = [
  'Please select at least one workspace.',
  'Please select a valid Workspace.',
];
const GROUP_INVALID = 'Please select a valid Group.';
const tooMany = (what: string) => `This request is too large: at most ${what}.`;
const SMILES = '\u{1f600}'.repeat(501);

/** A row of the contract's section 2: a field, what is wrong with it, and the sentence. A status is judged where it can be given. */
type Fault = [row: number, field: string, message: string, values: unknown[]];
const FAULTS: Fault[] = [
  [3, 'userIds', USER_REQUIRED, [undefined, null, []]],
  [4, 'userIds', USER_INVALID, ['ben', '', 0, false, { 0: 'ben', length: 1 }, ['ben', 7], [null], [['ben']]]],
  [5, 'workspaces', WORKSPACE_REQUIRED, [undefined, null, []]],
  [6, 'workspaces', WORKSPACE_INVALID, ['atlas', {}, [1], ['atlas', 7]]],
  [7, 'groups', GROUP_INVALID, ['atlas-managers', {}, false, 7, [null], ['atlas-managers', 7]]],
  [7, 'status', 'Please choose active or inactive as the status.', [undefined, 'asleep', 'Inactive', ['inactive']]],
  // A variation selector counts.
  [
    8,
    'reason',
    'Please give a reason of 1 to 500 characters.',
    ['', SMILES, `${'x'.repeat(499)}\u2764\ufe0f`, 7, ['x']],
  ],
  [8, 'reason', 'Please give a reason of 1 to 500 characters.', [false, 'a\0b', 'a\ud800', 'x'.repeat(501)]],
  [
    9,
    'until',
    'Please give a time with an offset, such as 2027-01-31T18:00:00+01:00.',
    ['', 'tomorrow', 7, [], '2100-01-01', '2100-01-01T00:00:00'],
  ],
  [10, 'userIds', tooMany('10,000 users'), [ids(10_001)]],
  [10, 'workspaces', tooMany('1,000 workspaces'), [ids(1_001)]],
  [10, 'groups', tooMany('1,000 groups'), [ids(1_001)]],
  // Whether it lies ahead, ten years at most, is judged after the limits.
  [
    10,
    'until',
    'Please give a time in the future, ten years ahead at most.',
    ['2001-01-01T00:00:00Z', '2100-01-01T00:00:00Z'],
  ],
  [11, 'userIds', USER_INVALID, [['ben', 'nobody'], ['Ben'], ['ben '], [''], ['ben', 'b\0n']]],
  [12, 'workspaces', WORKSPACE_INVALID, [['atlas', 'nowhere']]],
  [13, 'groups', GROUP_INVALID, [['atlas-managers', 'nothing'], ['borealis-editors']]],
];
/** Among unknown ids, those of no request are a fault for a lenient one as well. */
const LENIENT_FAULTS: Fault[] = [
  [11, 'userIds', USER_INVALID, [['nobody', 'no one']]],
  [12, 'workspaces', WORKSPACE_INVALID, [['nowhere']]],
  [13, 'groups', GROUP_INVALID, [['borealis-editors']]],
];

const PLACES = { userIds: ['ben'], workspaces: ['atlas'], groups: ['atlas-managers'], until: null };

describe.each<[string, object]>([
  ['workspace-assign', PLACES],
  ['workspace-unassign', PLACES],
  ['status-assign', { userIds: ['ben'], status: 'inactive' }],
])('%s refuses, and changes nothing:', (operation, right) => {
  const ofOperation = (faults: Fault[]) => faults.filter(([, field]) => field in right || field === 'reason');
  const faults = ofOperation(FAULTS);
  const lenientFaults = ofOperation([...FAULTS.filter(([row]) => row <= 10), ...LENIENT_FAULTS]);
  let before: string[];
  beforeAll(async () => {
    before = await trial.traces();
  });
  afterEach(async () => expect(await trial.traces()).toEqual(before));

  async function expectRefusal(wrong: object, message: string, prefer = 'respond-async', query = ''): Promise<void> {
    const answer = await trial.call(operation + query, { ...right, ...wrong }, { prefer });
    const said = [wrong, prefer, answer.status, answer.text, answer.headers.has('preference-applied')];
    expect(said).toEqual([wrong, prefer, 400, JSON.stringify({ status: 400, message }), false]);
  }

  it.each(faults)('%i. %s: %s', async (_row, field, message, values) => {
    for (const value of values) {
      await expectRefusal({ [field]: value }, message);
      await expectRefusal({ [field]: value }, message, undefined, '?dryRun=true');
    }
  });

  it.each(lenientFaults)('%i. %s also with handling=lenient: %s', async (_row, field, message, values) => {
    for (const value of values) await expectRefusal({ [field]: value }, message, 'handling=lenient');
  });

  it('a request without a body', async () => {
    const answer = await trial.call(operation, '');
    expect([answer.status, answer.text]).toEqual([400, JSON.stringify({ status: 400, message: USER_REQUIRED })]);
  });

  const pairsOf = (all: Fault[]) =>
    all.flatMap((first, index) =>
      all.slice(index + 1).flatMap((second) => (first[1] === second[1] ? [] : [[first, second] as const])),
    );

  it.each([
    ['', faults],
    [', also with handling=lenient', lenientFaults],
  ])('of two faults the first in the order of the contract%s', async (title, all) => {
    for (const [[, field, message, values], [, other, , others]] of pairsOf(all))
      await expectRefusal({ [field]: values.at(-1), [other]: others.at(-1) }, message, title && 'handling=lenient');
  });

  it.each([
    ['without a valid token', () => 'none', UNAUTHENTICATED],
    ['by a guest', () => trial.service.tokenOf('ben'), '{"status":403,"message":"Only an administrator can do this."}'],
  ])('a request %s, whatever else is wrong', async (_, token, refusal) => {
    for (const [, field, , [value]] of faults) {
      const headers = { authorization: `Bearer ${token()}` };
      const answer = await post(`${trial.service.url}/api/users/${operation}`, { ...right, [field]: value }, headers);
      expect(answer.text).toBe(refusal);
    }
  });
});
