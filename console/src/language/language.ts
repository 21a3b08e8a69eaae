import type messagesOfEnglish from '../../messages/en.json';
import { keptInBrowser } from '../storage.ts';

/** The names of the files in `messages/`, which the build puts here. */
declare const LANGUAGES: readonly string[];

export const languages = LANGUAGES;

/** What a language calls itself, with a capital as the first word of a list. */
export function ownName(tag: string): string {
  const [first = '', ...rest] = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  return first.toLocaleUpperCase(tag) + rest.join('');
}

/** Of one language in one script: `zh-TW` and `zh-Hant`, `pt` and `pt-BR`. */
const likely = (tag: string): string => {
  const { language, script } = new Intl.Locale(tag).maximize();
  return `${language}-${script}`;
};

const CHOSEN = 'language';

/** The one that was chosen on this page, else the first of the browser's that there is. */
export function preferredLanguage(): string {
  const chosen = keptInBrowser.get(CHOSEN);
  if (chosen && LANGUAGES.includes(chosen)) return chosen;
  for (const tag of navigator.languages) {
    const found = LANGUAGES.includes(tag) ? tag : LANGUAGES.find((language) => likely(language) === likely(tag));
    if (found) return found;
  }
  return 'en';
}

type WithoutPlural<Key> = Key extends `${infer Name}_${Intl.LDMLPluralRule}` ? Name : Key;
/** The name of a message in `messages/en.json`, without the suffix of a plural form. */
export type MessageKey = WithoutPlural<keyof typeof messagesOfEnglish>;

let messages: Record<string, string> = {};
let plural = new Intl.PluralRules('en');
/** The language of the page: of its messages, and of what the service says. */
export let language = 'en';

/** The later script is there, whose messages are in files of their own. */
let hasLater = false;

async function read(name: string): Promise<Record<string, string>> {
  const response = await fetch(new URL(`messages/${name}.json`, import.meta.url));
  if (!response.ok) throw new Error(`The messages ${name} cannot be loaded.`);
  return (await response.json()) as Record<string, string>;
}

/** Loads the messages of a language, and turns the page into its direction. */
export async function useLanguage(next: string, isChosen = false): Promise<void> {
  messages = { ...(await read(next)), ...(hasLater && (await read(`later-${next}`))) };
  plural = new Intl.PluralRules(next);
  language = next;
  if (isChosen) keptInBrowser.set(CHOSEN, next);
  document.documentElement.lang = next;
  document.documentElement.dir = /-(Arab|Hebr)$/.test(likely(next)) ? 'rtl' : 'ltr';
}

/** Loads the messages of the later script. */
export async function useLaterMessages(): Promise<void> {
  hasLater = true;
  const of = language;
  const more = await read(`later-${of}`);
  // Where another language was chosen meanwhile, that has brought its own.
  if (of === language) messages = { ...messages, ...more };
}

function template(key: MessageKey, count: unknown): string {
  const exact = messages[key];
  if (typeof count !== 'number') return exact ?? key;
  return messages[`${key}_${plural.select(count)}`] ?? messages[`${key}_other`] ?? exact ?? key;
}

const PLACEHOLDER = /\{(\w+)\}/;

/**
 * A message with its placeholders filled. A number `count` selects the plural form, as in i18next's JSON format 4: `key_one`, `key_other`.
 * Names of people and places come between marks that isolate their direction (UAX #9).
 */
export function t(key: MessageKey, values: Record<string, string | number> = {}): string {
  return parts(key, values)
    .map((part) =>
      typeof part === 'string'
        ? part
        : typeof part.value === 'number'
          ? number(part.value)
          : `\u2068${part.value}\u2069`,
    )
    .join('');
}

/** The pieces of a message: texts, and the values that fill its placeholders. `rich` of `message.tsx` shows them. */
export function parts<Value>(key: MessageKey, values: Record<string, Value>): (string | { value: Value })[] {
  return template(key, values.count)
    .split(PLACEHOLDER)
    .map((piece, index) =>
      index % 2 === 0 ? piece : piece in values ? { value: values[piece] as Value } : `{${piece}}`,
    );
}

export const number = (value: number): string => new Intl.NumberFormat(language).format(value);
