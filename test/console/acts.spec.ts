import type { JournalEntry } from '@user-administration/client';
import { actsOf, countOf, othersIn, setsEnd } from '../../console/src/history/acts';

const ADA = { kind: 'user', id: 'ada' } as const;
const EXPIRY = { kind: 'system', id: 'user-admin expiry' } as const;

let last = 0;
beforeEach(() => (last = 1_000));

/** An entry of one act, older than those made before it. */
const entry = (action: string, given: object = {}): JournalEntry =>
  ({
    id: String(last--),
    at: '2030-01-01T12:00:00.000Z',
    actor: ADA,
    grantedBy: null,
    action,
    user: null,
    workspaces: [],
    before: null,
    after: null,
    reason: null,
    requestId: null,
    ...given,
  }) as unknown as JournalEntry;
const status = (user: string, status: string, given: object = {}) =>
  entry('user.status.changed', { user, after: { status }, ...given });
const left = (user: string, given: object = {}) =>
  entry('user.workspaces.unassigned', {
    user,
    workspaces: ['sales'],
    before: { workspaces: ['sales'], groups: [] },
    ...given,
  });
const joined = (user: string, given: object = {}) =>
  entry('user.workspaces.assigned', {
    user,
    workspaces: ['sales'],
    after: { workspaces: ['sales'], groups: [] },
    ...given,
  });
const later = { at: '2030-01-02T12:00:00.000Z', requestId: 'undo' };

describe('the acts of the history', () => {
  it('are what one transaction wrote, with a request or without one', () => {
    const entries = [
      status('ben', 'inactive', { at: '2030-01-01T12:00:00.001Z' }),
      status('ben', 'active', { requestId: 'b' }),
      status('cyd', 'active', { requestId: 'a' }),
      status('ben', 'active', { requestId: 'a' }),
      status('cyd', 'inactive'),
      status('ben', 'inactive'),
      status('ben', 'inactive', { actor: EXPIRY }),
      status('cyd', 'inactive', { actor: EXPIRY }),
    ];
    expect(actsOf(entries).map(({ entries, people }) => [entries.length, people])).toEqual([
      [1, 1],
      [1, 1],
      [2, 2],
      [2, 2],
      // Ends that came together are undone each for one person.
      [1, 1],
      [1, 1],
    ]);
  });

  it.each([
    ['workspace.deleted', [left('ben'), left('cyd'), 'user.type.changed', 'group.deleted', 'workspace.deleted']],
    ['workspace.deleted', ['scim_connection.deleted', 'workspace.deleted', 'group.deleted', left('ben')]],
    ['group.deleted', ['group.deleted', left('ben')]],
    ['directory.imported', ['scim_connection.created', 'user.created', 'directory.imported']],
    ['directory.imported', [status('ben', 'inactive'), 'user.created', 'group.deleted', 'directory.imported']],
    ['user.erased', ['user.erased', 'user.deleted', left('ben')]],
    ['user.created', ['user.type.changed', joined('fay'), 'user.permissions.changed', 'user.created']],
    ['user.permissions.changed', ['user.type.changed', 'user.permissions.changed', 'user.updated']],
    ['permission.updated', ['user.type.changed', 'user.type.changed', 'permission.updated']],
    ['user.status.changed', ['user.updated', status('ben', 'inactive', { actor: ADA })]],
    ['user.workspaces.assigned', ['user.type.changed', joined('ben'), joined('cyd')]],
  ] as const)('are told by what somebody did: %s', (main, all) => {
    const [act, ...others] = actsOf(all.map((each) => (typeof each === 'string' ? entry(each) : each)));
    expect(act?.main.action).toBe(main);
    expect(others).toEqual([]);
  });

  it('tell by an entry with its facts, where others were read without them', () => {
    const [act] = actsOf([left('ben'), left('cyd', { workspaces: [], before: {} })]);
    expect(act?.main.user).toBe('ben');
    expect(act?.people).toBe(2);
  });

  it('count the people and the groups that a deletion concerned', () => {
    const groups = ['editors', 'managers'].map((group) => entry('group.deleted', { before: { group } }));
    const [act] = actsOf([left('ben'), left('cyd'), left('cyd'), ...groups, entry('workspace.deleted')]);
    expect(act && [othersIn(act), countOf(act, 'group.deleted')]).toEqual([2, 2]);
  });

  it.each([
    ['a suspension', [status('ben', 'inactive')], true],
    ['an assignment with its types', [entry('user.type.changed'), joined('ben')], true],
    ['a deletion of a workspace', [left('ben'), entry('workspace.deleted')], false],
    ['a suspension with an edit', [entry('user.updated'), status('ben', 'inactive')], false],
    ['a type that follows a permission', [entry('user.type.changed')], false],
    [
      'an end of an account, which clears it',
      [entry('user.updated', { actor: EXPIRY, user: 'ben' }), status('ben', 'inactive', { actor: EXPIRY })],
      true,
    ],
    [
      'an import that suspends',
      [status('ben', 'inactive'), entry('user.updated', { user: 'cyd' }), entry('directory.imported')],
      true,
    ],
    [
      'an import that only creates',
      [joined('fay'), entry('user.created', { user: 'fay' }), entry('directory.imported')],
      false,
    ],
    ['what was erased', [status('ben', 'inactive', { erased: true })], false],
  ] as const)('can be undone, or not: %s', (_, entries, isUndoable) => {
    expect(actsOf(entries).map((act) => act.isUndoable)).toEqual([isUndoable]);
  });

  it.each([
    [
      'a suspension',
      [status('ben', 'inactive'), status('cyd', 'inactive')],
      [status('cyd', 'active', later), status('ben', 'active', later)],
    ],
    ['an end', [left('ben', { actor: EXPIRY })], [joined('ben', later)]],
    [
      'an assignment until a day',
      [
        joined('ben', {
          after: {
            workspaces: ['sales'],
            groups: [],
            until: { workspaces: { sales: '2030-02-01T00:00:00Z' }, groups: {} },
          },
        }),
      ],
      [left('ben', later)],
    ],
    [
      'an import',
      [
        entry('user.updated', { user: 'cyd' }),
        status('ben', 'inactive'),
        status('fay', 'inactive'),
        entry('user.created', { user: 'fay' }),
        entry('directory.imported'),
      ],
      [status('ben', 'active', later)],
    ],
  ])('are undone by what takes them back, also without a request: %s', (_, done, undoing) => {
    expect(actsOf([...undoing, ...done]).map((act) => act.isUndone)).toEqual([false, true]);
    expect(actsOf([...undoing, ...done]).at(-1)?.isUndoable).toBe(true);
    const other = undoing.map((each) => ({ ...each, user: 'zoe' }));
    expect(actsOf([...other, ...done]).map((act) => act.isUndone)).toEqual([false, false]);
  });

  it('stay the same objects while nothing about them changes, so that no row is drawn again', () => {
    const old = [status('ben', 'inactive')];
    const [before] = actsOf(old);
    const [, after] = actsOf([joined('cyd', later), ...old]);
    expect(after).toBe(before);
  });
});

it.each([
  [
    joined('ben', { after: { workspaces: ['sales'], groups: [], until: { workspaces: { sales: 'T' }, groups: {} } } }),
    true,
  ],
  [joined('ben'), false],
  [entry('user.workspaces.extended', { after: { workspaces: { sales: 'T' }, groups: {} } }), true],
  [entry('user.workspaces.extended', { after: { workspaces: { sales: null }, groups: {} } }), false],
  [entry('user.workspaces.shortened', { after: { workspaces: { legal: 'T' }, groups: {} } }), false],
])('who has set an end is known by the entry that tells it: %#', (earlier, isIt) => {
  expect(setsEnd(earlier, { workspaces: ['sales'], groups: [] })).toBe(isIt);
});
