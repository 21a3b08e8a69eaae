import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FALLBACK_LANGUAGE } from './languages';

/** The file of a sentence. */
export type SentenceKind = 'errors' | 'answers';

/** A sentence, and the language that it is in. */
export interface Sentence {
  text: string;
  language: string;
}

/**
 * The sentences of plugins: `<folder>/<language>/errors.json` and `answers.json`, as the service's own are written.
 */
export class PluginSentences {
  private readonly read = new Map<string, Readonly<Record<string, string>>>();

  constructor(private readonly folders: readonly string[]) {}

  /** @returns the sentence in the language or in English; undefined if no plugin has it */
  of(kind: SentenceKind, key: string, language: string): Sentence | undefined {
    for (const folder of this.folders)
      for (const spoken of [language, FALLBACK_LANGUAGE]) {
        const text = this.in(join(folder, spoken, `${kind}.json`))[key];
        if (text !== undefined) return { text, language: spoken };
      }
    return undefined;
  }

  private in(file: string): Readonly<Record<string, string>> {
    const known = this.read.get(file);
    if (known) return known;
    const sentences = existsSync(file) ? flat(JSON.parse(readFileSync(file, 'utf8')) as Nested) : {};
    this.read.set(file, sentences);
    return sentences;
  }
}

interface Nested {
  readonly [key: string]: string | Nested;
}

/** `{ seats: { none_left: '...' } }` as `{ 'seats.none_left': '...' }`. */
function flat(sentences: Nested, prefix = ''): Record<string, string> {
  return Object.entries(sentences).reduce(
    (all, [key, value]) => ({
      ...all,
      ...(typeof value === 'string' ? { [prefix + key]: value } : flat(value, `${prefix}${key}.`)),
    }),
    {},
  );
}
