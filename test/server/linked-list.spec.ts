import { LinkedList } from '../../src/server/linked-list';

let list: LinkedList<string>;

beforeEach(() => {
  list = new LinkedList();
});

describe('LinkedList', () => {
  it('keeps its values in the order in which they were added', () => {
    for (const value of ['a', 'b', 'c']) list.add(value);
    expect([list.first, list.values(), list.size]).toEqual(['a', ['a', 'b', 'c'], 3]);
  });

  it.each([
    ['first', 0, ['b', 'c']],
    ['middle', 1, ['a', 'c']],
    ['last', 2, ['a', 'b']],
  ])('removes the %s value, once', (_, index, left) => {
    const link = ['a', 'b', 'c'].map((value) => list.add(value))[index];
    link?.remove();
    link?.remove();
    expect([list.first, list.values(), list.size]).toEqual([left[0], left, 2]);
  });

  it('is empty after its last value is removed, and can be used again', () => {
    list.add('a').remove();
    expect([list.first, list.values(), list.size]).toEqual([undefined, [], 0]);
    list.add('b');
    expect([list.first, list.values(), list.size]).toEqual(['b', ['b'], 1]);
  });

  it('does not keep other values in memory through a removed link', () => {
    const [, link] = ['a', 'b', 'c'].map((value) => list.add(value));
    link?.remove();
    expect(Object.values(link ?? {}).filter((held) => held !== link && held !== list)).toEqual(['b']);
  });
});
