import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { ANSWERS } from '../../src/contract/answers';
import { ERRORS } from '../../src/contract/errors';
import { PLUGINS } from '../../src/installed-plugins';
import { FALLBACK_LANGUAGE, LANGUAGES, MESSAGES_FOLDER } from '../../src/i18n/languages';

/** What each file must hold, to the key: of the service and of its plugins. */
const FOLDERS: [folder: string, keys: Record<string, readonly string[]>][] = [
  [MESSAGES_FOLDER, { 'errors.json': Object.keys(ERRORS), 'answers.json': ANSWERS }],
  ...PLUGINS.flatMap(({ name, folder, errors }): [string, Record<string, readonly string[]>][] =>
    errors
      ? [
          [
            join(folder, 'messages'),
            {
              'errors.json': Object.keys(errors.catalogue),
              ...(name === 'transfer' && { 'answers.json': ['import.done'] }),
            },
          ],
        ]
      : [],
  ),
];

/** Sentences that are rightly the same in two languages, as `<language> <key>`, with the reason. */
const RIGHTLY_THE_SAME: Record<string, string> = {};

/** What the letters of a language look like, and those that only its nearest relative has. */
const SCRIPTS: Record<string, { has: RegExp; lacks?: RegExp }> = {
  ar: { has: /\p{Script=Arabic}/u },
  hi: { has: /\p{Script=Devanagari}/u },
  ja: { has: /[\p{Script=Hiragana}\p{Script=Katakana}]/u },
  ko: { has: /\p{Script=Hangul}/u },
  ru: { has: /\p{Script=Cyrillic}/u, lacks: /[іїєґ]/iu },
  uk: { has: /\p{Script=Cyrillic}/u, lacks: /[ыэъё]/iu },
  'zh-Hans': { has: /\p{Script=Han}/u, lacks: /[\p{Script=Hiragana}\p{Script=Katakana}請選無個證碼與應]/u },
  'zh-Hant': { has: /\p{Script=Han}/u, lacks: /[\p{Script=Hiragana}\p{Script=Katakana}请选无个证码与应]/u },
};

const NUMBERS = [1, 2, 3, 5, 11, 21, 100, 1_000, 10_000, 1_000_000];

/** Every sentence of a file by its code: `{"user":{"invalid":"..."}}` is `user.invalid`. */
function flatten(value: unknown, path: string[] = []): [code: string, sentence: unknown][] {
  return value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, inner]) => flatten(inner, [...path, key]))
    : [[path.join('.'), value]];
}

function read(folder: string, language: string, file: string): Map<string, string> {
  const sentences = flatten(JSON.parse(readFileSync(join(folder, language, file), 'utf8')));
  return new Map(sentences.map(([code, sentence]) => [code, String(sentence)]));
}

function sentencesOf(language: string): Map<string, string> {
  return new Map(
    FOLDERS.flatMap(([folder, keys]) => Object.keys(keys).flatMap((file) => [...read(folder, language, file)])),
  );
}

interface Argument {
  name: string;
  /** The plural categories that are spelt out, if it is a plural. */
  categories?: string[];
}

/** The arguments of a sentence, also those inside of plural forms. */
function argumentsOf(sentence: string, language: string): Argument[] {
  type Elements = ReturnType<IntlMessageFormat['getAst']>;
  const walk = (elements: Elements): Argument[] =>
    elements.flatMap((element): Argument[] => {
      if (!('value' in element) || element.type === 0) {
        return [];
      }
      if (!('options' in element)) {
        return [{ name: element.value }];
      }
      const forms = Object.values(element.options).flatMap((form) => walk(form.value));
      return [{ name: element.value, categories: Object.keys(element.options).sort() }, ...forms];
    });
  return walk(new IntlMessageFormat(sentence, language).getAst());
}

const namesIn = (sentence: string, language: string): string[] => [
  ...new Set(argumentsOf(sentence, language).map(({ name }) => name)),
];

/** Every argument but the number is a word in Latin letters, as names in a request are. */
const render = (sentence: string, language: string, max: number): string => {
  const args = Object.fromEntries(namesIn(sentence, language).map((name) => [name, name === 'max' ? max : 'word']));
  return String(new IntlMessageFormat(sentence, language).format(args));
};

const ENGLISH = sentencesOf(FALLBACK_LANGUAGE);

describe.each(LANGUAGES)('the messages in %s', (language) => {
  const sentences = sentencesOf(language);

  it.each(FOLDERS)('in %s are in the same files as in every language, with every code and no other', (folder, keys) => {
    const found = readdirSync(join(folder, language)).map((file) => [
      file,
      [...read(folder, language, file).keys()].sort(),
    ]);
    const expected = Object.entries(keys).map(([file, codes]) => [file, [...codes].sort()]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });

  it('have no empty text, surplus spaces or unresolved parts', () => {
    for (const [code, sentence] of sentences) {
      expect({ code, sentence: sentence.trim().replace(/ {2,}/g, ' ') }).toEqual({ code, sentence });
      // An ASCII apostrophe escapes in ICU MessageFormat: ’ is the letter.
      expect({ code, sentence }).not.toEqual({ code, sentence: expect.stringMatching(/^$|'|\.\.|undefined/) });
    }
  });

  it('have the same arguments as in English', () => {
    for (const [code, sentence] of sentences) {
      expect({ code, names: namesIn(sentence, language) }).toEqual({
        code,
        names: namesIn(ENGLISH.get(code) ?? '', FALLBACK_LANGUAGE),
      });
    }
  });

  it('end with a full stop where English does', () => {
    for (const [code, sentence] of sentences) {
      expect({ code, stop: /[.。।]$/.test(sentence) }).toEqual({ code, stop: ENGLISH.get(code)?.endsWith('.') });
    }
  });

  it('have every plural form of the language, where English has plurals', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
    for (const [code, sentence] of sentences) {
      if (argumentsOf(ENGLISH.get(code) ?? '', FALLBACK_LANGUAGE).some((argument) => argument.categories)) {
        for (const argument of argumentsOf(sentence, language)) {
          expect({ code, categories: argument.categories ?? ['other'] }).toEqual({ code, categories });
        }
      }
    }
  });

  it('contain the numbers that they are given', () => {
    for (const [code, sentence] of sentences) {
      for (const max of NUMBERS) {
        const said = render(sentence, language, max);
        expect({ code, said }).not.toEqual({ code, said: expect.stringMatching(/[{}#]/) });
        // Arabic has words for one and two of a thing.
        if (namesIn(sentence, language).includes('max') && !(language === 'ar' && max <= 2)) {
          expect(said.replace(/\D/gu, '')).toContain(String(max));
        }
      }
    }
  });

  it('use the same words for memberships in both limits', () => {
    const counted = (code: string): string | undefined => /\{max,.*\}/.exec(sentences.get(code) ?? '')?.[0];
    expect(counted('request.too_large_to_represent')).toBe(counted('request.too_many_memberships'));
  });

  it('differ from those of every other language', () => {
    for (const other of LANGUAGES.filter((candidate) => candidate !== language)) {
      for (const [code, sentence] of sentencesOf(other)) {
        if (sentences.get(code) === sentence && !RIGHTLY_THE_SAME[`${language} ${code}`]) {
          throw new Error(`${code} is the same in ${language} and ${other}: ${sentence}`);
        }
      }
    }
  });

  it('are written in the script of the language', () => {
    const { has, lacks } = SCRIPTS[language] ?? {
      has: /\p{Script=Latin}/u,
      lacks: /[^\p{Script=Latin}\p{Script=Common}]/u,
    };
    for (const [code, sentence] of sentences) {
      const said = render(sentence, language, 10_000);
      expect({ code, said }).toEqual({ code, said: expect.stringMatching(has) });
      expect(lacks?.exec(said)?.[0]).toBeUndefined();
    }
  });
});

describe('the messages in French', () => {
  it('have a no-break space before : ; ! and ?', () => {
    for (const sentence of sentencesOf('fr').values()) {
      const words = sentence.replace('Content-Type:', '').replace('2027-01-31T18:00:00+01:00', '');
      expect(words).not.toMatch(/[^\u00a0][:;?!]/);
    }
  });
});

describe('the messages in Arabic', () => {
  const sentences = [...sentencesOf('ar').values()].map((sentence) => render(sentence, 'ar', 10_000));

  it('isolate text that is written from left to right, so that the sentence keeps its order', () => {
    for (const sentence of sentences) {
      expect(sentence.replace(/\u2066[^\u2066\u2069]*\u2069/gu, '')).not.toMatch(/\p{Script=Latin}|[\u2066-\u2069]/u);
    }
  });

  it('begin with Arabic letters, so that programs detect the direction, and do not end with Latin ones', () => {
    for (const sentence of sentences) {
      expect(sentence).toMatch(/^\p{Script=Arabic}.*[\p{Script=Arabic}\p{Script=Inherited}\p{Nd}]\.?$/u);
    }
  });
});
