import fc from 'fast-check';
import { guarded, unguarded } from '../../src/contract/formula-guard';

/** Texts of what the guard looks at. */
const texts = fc.string({ unit: fc.constantFrom("'", '=', '\uFF0B', '-', ';', '\t', ' ', '\n', '\r', 'a', '"', '|') });

describe('the guard of exported cells', () => {
  it('is taken off again, whatever the text', () => {
    fc.assert(
      fc.property(texts, (text) => expect(unguarded(guarded(text))).toBe(text)),
      { numRuns: 2_000 },
    );
  });

  it('leaves no place at which a formula begins', () => {
    fc.assert(
      fc.property(texts, (text) => expect(guarded(text)).not.toMatch(/(?:^|[;\t])\s*[=+\-@\uFF0B]|^[\t\r\n]/)),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["'=1+1", '=1+1'],
    ["'-5", '-5'],
    ["''=1", "'=1"],
    ["ok;'=1", 'ok;=1'],
    ["'00815", "'00815"],
    ["O'Hara", "O'Hara"],
    ["'", "'"],
    ['=1', '=1'],
  ])('of %j leaves %j', (cell, text) => expect(unguarded(cell)).toBe(text));

  it.each(['\t', ' ', "'", ';', '=', '\t ', "'\t"])('takes no more than one step for each of many %j', (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    // The pattern must not look again at what it has seen: that would take minutes.
    expect(unguarded(guarded(text))).toBe(text);
  });
});
