import { appliedPreferences, readPreferences } from '../../src/server/preferences';

const BOTH = 'return=representation, handling=lenient';

describe('the preferences in a header', () => {
  it.each([
    ['return=representation', 'return=representation'],
    ['handling=lenient', 'handling=lenient'],
    ['handling=lenient, return=representation', BOTH],
    // As Node joins several headers.
    ['handling=lenient, respond-async, return=representation', BOTH],
    ['return=representation,handling=lenient', BOTH],
    [',, return=representation ,\t, handling=lenient,', BOTH],
    ['RETURN=Representation; foo="a, b"; bar, Handling = "lenient"', BOTH],
    ['wait=100, return="repre\\sentation"', 'return=representation'],
    ['return=representation; x ; y=1 ;', 'return=representation'],
    ['foo="return=representation, handling=lenient"', ''],
    ['foo; return=representation', ''],
    ['return=minimal', ''],
    ['handling=strict', ''],
    ['return', ''],
    ['return=', ''],
    ['return=""', ''],
    ['return=representation extra', ''],
    ['return==representation', ''],
    ['=representation', ''],
    ['return="representation', ''],
    ['', ''],
    ['"', ''],
  ])('%j: %j', (header, applied) => {
    expect(appliedPreferences(header)).toBe(applied);
  });

  it.each([
    ['return=minimal, return=representation', ''],
    ['return=representation, return=minimal', 'return=representation'],
    ['handling=strict; a=b, HANDLING=lenient', ''],
    ['return, return=representation', ''],
  ])('count as they are given first: %j', (header, applied) => {
    expect(appliedPreferences(header)).toBe(applied);
  });

  it('are empty without a header, and with unknown preferences', () => {
    expect(readPreferences(undefined)).toEqual({ representation: false, lenient: false });
    const hostile = `${'a="\\", '.repeat(2_000)}return=representation`;
    expect(readPreferences(hostile)).toEqual({ representation: false, lenient: false });
    expect(readPreferences(`${'";'.repeat(490)}`)).toEqual({ representation: false, lenient: false });
  });
});
