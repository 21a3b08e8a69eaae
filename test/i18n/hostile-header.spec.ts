import fc from 'fast-check';
import { LANGUAGES } from '../../src/i18n/languages';
import { negotiateLanguage } from '../../src/i18n/negotiate-language';

const many = (range: (index: number) => string): string => Array.from({ length: 10_000 }, (_, i) => range(i)).join();

const HOSTILE: Record<string, string> = {
  '100 KB of one letter': 'a'.repeat(100_000),
  '100 KB of spaces': `de${' '.repeat(100_000)}`,
  '100 KB of commas': ','.repeat(100_000),
  '100 KB of hyphens': '-'.repeat(100_000),
  '100 KB of one-letter subtags': `zh-${'a-'.repeat(50_000)}a`,
  '100 KB of weights': `de${';q=0'.repeat(25_000)}`,
  'an open quote': `de;q="${'\\"'.repeat(50_000)}`,
  '10,000 unknown ranges': many((i) => `x${i % 100}`),
  '10,000 refusals': many((i) => `zh-x${i};q=0`),
  '10,000 kinds of Chinese, both scripts refused': `zh-hans;q=0,zh-hant;q=0,${many((i) => `zh-x${i}`)}`,
  '10,000 ranges, half of them refused': many((i) => `${i % 2 ? 'zh' : 'de'}-x${i};q=${i % 3 ? 0 : 0.5}`),
  'tags that Intl refuses': many(() => 'zh-hans-tw-cn-hk-a-a-a-a-a-a-a-a'),
  'one long tag within the bound': `zh-${'a1-'.repeat(300)}b`,
};

describe('a hostile Accept-Language header', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each(Object.entries(HOSTILE))('costs no more than a plain one: %s', (_, header) => {
    const started = process.cpuUsage();
    for (let i = 0; i < 1_000; i++) {
      negotiateLanguage(header);
    }
    const { user } = process.cpuUsage(started);
    // In microseconds. A call takes some 50 of them at worst; a cost that grew with the header would be thousands.
    expect(user).toBeLessThan(2_000_000);
  });

  it.each(Object.entries(HOSTILE))('makes Intl read no more than a few short tags: %s', (_, header) => {
    const read = jest.spyOn(Intl, 'Locale');
    negotiateLanguage(header);
    const tags = read.mock.calls.map(([tag]) => String(tag));
    expect(tags.length).toBeLessThanOrEqual(8);
    expect(Math.max(0, ...tags.map((tag) => tag.length))).toBeLessThanOrEqual(8 * 9);
  });

  it('is not read beyond its first 50 ranges', () => {
    expect(negotiateLanguage(`${'xx,'.repeat(49)}de`)).toBe('de');
    expect(negotiateLanguage(`${'xx,'.repeat(50)}de`)).toBe('en');
  });

  it('is not read beyond its first 1,000 characters, without the range that is cut there', () => {
    const padding = `${'x'.repeat(997)},`;
    expect(negotiateLanguage(`${padding}de`)).toBe('de');
    expect(negotiateLanguage(`${padding}de-CH`)).toBe('en');
    expect(negotiateLanguage(`fr;q=0.1,${padding}de`)).toBe('fr');
  });

  it('never causes an error, and is answered in a supported language', () => {
    const range = fc.oneof(fc.constantFrom(...LANGUAGES, '*', 'zh', 'pt-PT', 'de-CH'), fc.string({ maxLength: 12 }));
    const weight = fc.oneof(fc.constantFrom('', ';q=0', ';q=0.5', ';q='), fc.string({ maxLength: 8 }));
    const header = fc.array(fc.tuple(range, weight).map((parts) => parts.join(''))).map((elements) => elements.join());
    fc.assert(
      fc.property(fc.oneof(header, fc.string({ unit: 'binary' })), (sent) =>
        LANGUAGES.includes(negotiateLanguage(sent)),
      ),
    );
  });

  it('never gets a language that it excludes, unless no other is left', () => {
    fc.assert(
      fc.property(fc.subarray([...LANGUAGES]), fc.subarray([...LANGUAGES]), (refused, accepted) => {
        const wanted = accepted.filter((language) => !refused.includes(language));
        const header = [...refused.map((language) => `${language};q=0`), ...wanted, '*;q=0.1'].join();
        const left = LANGUAGES.some((language) => !refused.includes(language));
        return !left || !refused.includes(negotiateLanguage(header));
      }),
    );
  });
});
