import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAll, textsIn } from '../architecture/source-tree';

const LATER_ENTRY = 'administrators-pages.ts';
const CONSOLE = join(__dirname, '../../console');
const read = (language: string) =>
  JSON.parse(readFileSync(join(CONSOLE, 'messages', `${language}.json`), 'utf8')) as Record<string, string>;
const LANGUAGES = readdirSync(join(CONSOLE, 'messages')).map((name) => name.replace('.json', ''));
const ENGLISH = read('en');
const PLURAL = /_(?:zero|one|two|few|many|other)$/;
const nameOf = (key: string) => key.replace(PLURAL, '');
const placeholders = (message: string | undefined) => [...new Set(message?.match(/\{\w+\}/g))].sort();

/** A language has exactly these keys: for each plural form of its own where English has forms. */
function keysIn(language: string): string[] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const keys = Object.keys(ENGLISH).flatMap((key) =>
    PLURAL.test(key) ? pluralCategories.map((category) => `${nameOf(key)}_${category}`) : [key],
  );
  return [...new Set(keys)].sort();
}

/** Beginnings of the keys that the page puts together, such as `status.${status}`, and ends, such as `${how}.title`. */
const BEGINNINGS = /`([a-zA-Z_]+\.[a-zA-Z_.]*)\$\{/g;
const ENDS = /\}(\.[a-z_]+)`/g;

describe('the messages of the page', () => {
  it('exist in the seventeen languages', () => {
    expect(LANGUAGES).toHaveLength(17);
  });

  it.each(LANGUAGES)('have the same keys, plural forms and placeholders: %s', (language) => {
    const messages = read(language);
    expect(Object.keys(messages).sort()).toEqual(keysIn(language));
    const wrong = Object.entries(messages).filter(([key, message]) => {
      const english = ENGLISH[key] ?? ENGLISH[`${nameOf(key)}_other`];
      const optional = PLURAL.test(key) && !key.endsWith('_other') ? ['{count}'] : [];
      const missing = placeholders(english).filter((each) => !message.includes(each) && !optional.includes(each));
      const unknown = placeholders(message).filter((each) => !english?.includes(each) && each !== '{count}');
      return message.trim() === '' || missing.length > 0 || unknown.length > 0;
    });
    expect(wrong).toEqual([]);
  });

  it('of the later script are shown by nothing that browsers load first', () => {
    const imports = new Map(
      parseAll(textsIn('console/src')).map(({ path, imports }) => [
        path,
        imports.flatMap(({ target }) => target ?? []),
      ]),
    );
    const first = new Set(['main.tsx']);
    for (const path of first)
      for (const target of imports.get(path) ?? []) if (target !== LATER_ENTRY) first.add(target);
    const later = new RegExp(
      /LATER_MESSAGES = \/(.*)\/;/.exec(readFileSync(join(CONSOLE, 'build.mjs'), 'utf8'))?.[1] ?? '$.',
    );
    const keys = Object.keys(ENGLISH)
      .map(nameOf)
      .filter((key) => later.test(key));
    expect(keys.length).toBeGreaterThan(100);
    const shown = [...first].flatMap((path) => {
      const text = readFileSync(join(CONSOLE, 'src', path), 'utf8');
      return keys.filter((key) => text.includes(`'${key}'`)).map((key) => `${path}: ${key}`);
    });
    expect(shown).toEqual([]);
  });

  it('are all used', () => {
    const sources = readdirSync(join(CONSOLE, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => readFileSync(join(CONSOLE, 'src', path), 'utf8'))
      .join('\n');
    const piecesOf = (pattern: RegExp) => [...sources.matchAll(pattern)].map(([, piece = '']) => piece);
    const [beginnings, ends] = [piecesOf(BEGINNINGS), piecesOf(ENDS)];
    const unused = Object.keys(ENGLISH)
      .map(nameOf)
      .filter((key) => !sources.includes(`'${key}'`) && !sources.includes(`"${key}"`))
      .filter(
        (key) => !beginnings.some((beginning) => key.startsWith(beginning)) && !ends.some((end) => key.endsWith(end)),
      );
    expect([...new Set(unused)]).toEqual([]);
  });
});
