import { appliedPreferences, readPreferences } from '../src/preferences';

const BOTH = 'return=representation, handling=lenient';

describe('the Prefer header', () => {
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
    ['handling=strict', 'handling=strict'],
    ['Handling="STRICT", return=representation', 'return=representation, handling=strict'],
    ['return', ''],
    ['return=', ''],
    ['return=""', ''],
    ['return=representation extra', ''],
    ['return==representation', ''],
    ['=representation', ''],
    ['return="representation', ''],
    ['', ''],
    ['"', ''],
  ])('%j applies the preferences %j', (header, applied) => {
    expect(appliedPreferences(header)).toBe(applied);
  });

  it.each([
    ['return=minimal, return=representation', ''],
    ['return=representation, return=minimal', 'return=representation'],
    ['handling=strict; a=b, HANDLING=lenient', 'handling=strict'],
    ['handling=lenient, handling=strict', 'handling=lenient'],
    ['handling=other, handling=strict', ''],
    ['return, return=representation', ''],
  ])('applies the first value of a preference: %j', (header, applied) => {
    expect(appliedPreferences(header)).toBe(applied);
  });

  it('applies nothing if it is absent or has only unknown preferences', () => {
    expect(readPreferences(undefined)).toEqual({ representation: false, lenient: false, strict: false });
    const hostile = `${'a="\\", '.repeat(2_000)}return=representation`;
    expect(readPreferences(hostile)).toEqual({ representation: false, lenient: false, strict: false });
    expect(readPreferences(`${'";'.repeat(490)}`)).toEqual({ representation: false, lenient: false, strict: false });
  });
});
