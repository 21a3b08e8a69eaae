import { PageRoom } from '../../src/answers/page-room';
import type { FeedPosition } from '../../src/journal/feed-cursor';
import { pageOf } from '../../src/journal/feed-page';
import type { FeedChange } from '../../src/journal/feed-reader';

function change(chain: number, number: number, users: (string | null)[], facts: Partial<FeedChange> = {}): FeedChange {
  return {
    chain,
    number: BigInt(number),
    id: BigInt(1_024 * number + chain),
    user_ids: users,
    at: new Date(number),
    action: 'user.type.changed',
    actor_kind: 'user',
    actor_id: 'ada',
    granted_by: null,
    workspace_ids: [],
    before: null,
    after: null,
    reason: null,
    request_id: null,
    traceparent: null,
    bytes: 100,
    ...facts,
  };
}

const START: FeedPosition = { delivered: new Map([[1, 1n]]) };
const CHANGES = [
  change(1, 2, ['ann', 'ben', 'cyd']),
  change(2, 1, [null], { workspace_ids: ['atlas'], actor_id: 'zoe', action: 'workspace.permissions.changed' }),
  change(1, 3, ['ben', 'dee'], { workspace_ids: ['atlas', 'borealis'] }),
];

describe('a page for a follower', () => {
  it('returns all entries of its changes in order, and the position after them', () => {
    const { entries, position } = pageOf(CHANGES, START, {}, new PageRoom(50));
    expect(entries.map(({ user, id }) => [user, id])).toEqual([
      ['ann', '2049'],
      ['ben', '2050'],
      ['cyd', '2051'],
      [null, '1026'],
      ['ben', '3073'],
      ['dee', '3074'],
    ]);
    expect(position).toEqual({ delivered: new Map([[1, 3n], [2, 1n]]) }); // prettier-ignore
  });

  it('continues where the page before ended, with any page size', () => {
    const all = pageOf(CHANGES, START, {}, new PageRoom(50)).entries;
    for (let limit = 1; limit <= 7; limit++) {
      const delivered = [];
      let position = START;
      for (let pages = 0; pages < 7; pages++) {
        const page = pageOf(CHANGES, position, {}, new PageRoom(limit));
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        delivered.push(...page.entries);
        ({ position } = page);
      }
      expect(delivered).toEqual(all);
    }
  });

  it.each([
    [{ user: 'ben' }, ['2050', '3073']],
    [{ workspace: 'atlas' }, ['1026', '3073', '3074']],
    [{ workspace: 'borealis', user: 'dee' }, ['3074']],
    [{ actor: 'zoe' }, ['1026']],
    [{ action: ['workspace.permissions.changed'] } as const, ['1026']],
    [{ action: ['workspace.permissions.changed', 'user.type.changed'], user: 'ben' } as const, ['2050', '3073']],
    [{ from: new Date(3) }, ['3073', '3074']],
    [{ to: new Date(2) }, ['1026']],
    [{ user: 'nobody' }, []],
  ])('returns the entries that match %p, and skips the others', (filter, ids) => {
    const { entries, position } = pageOf(CHANGES, START, filter, new PageRoom(50));
    expect(entries.map(({ id }) => id)).toEqual(ids);
    expect(position.delivered.get(1)).toBe(3n);
  });

  it('skips entries that were already delivered', () => {
    const { entries } = pageOf(CHANGES, { delivered: new Map([[1, 2n]]) }, {}, new PageRoom(50)); // prettier-ignore
    expect(entries.map(({ id }) => id)).toEqual(['1026', '3073', '3074']);
  });
});
