import type { IncomingHttpHeaders } from 'node:http';
import type { ExecutionContext } from '@nestjs/common';
import Negotiator from 'negotiator';
import type { I18nResolver } from 'nestjs-i18n';
import { elementsOf } from '@user-administration/http';
import { FALLBACK_LANGUAGE, LANGUAGES } from './languages';

/**
 * An RFC 4647 language range in lower case. A wildcard after the first subtag has no effect in a lookup (section 3.4).
 */
const LANGUAGE_RANGE = /^[a-z]{1,8}(?:-(?:[a-z0-9]{1,8}|\*))*$/;

/** The range of one element of the header, without its weight. */
const ELEMENT = /^[ \t]*([a-z0-9*-]+)[ \t]*(?:;|$)/;

interface Spoken {
  language: string;
  /** The language in lower case, for case-insensitive comparison. */
  tag: string;
  /** The tag with its likely subtags, such as `zh-hant-tw` for `zh-hant`. */
  likely: string;
}

const SPOKEN: readonly Spoken[] = LANGUAGES.map((language) => {
  const tag = language.toLowerCase();
  return { language, tag, likely: likelyTag(tag) ?? tag };
});

/**
 * Chooses the language of the answer by RFC 4647 lookup, in the order of the RFC 9110 weights of `Accept-Language`;
 * ranges with equal weights keep the order of the caller. It takes microseconds for any header.
 *
 * - A range finds the language that it truncates to, likely subtags considered: `zh-TW` finds `zh-Hant`.
 * - `q=0` refuses every language that begins with the range, unless a longer range accepts it.
 * - `*` counts after every other range (RFC 4647 section 3.4). If nothing is acceptable, the answer is in English.
 *
 * @example negotiateLanguage('de-CH, fr;q=0.9'); // 'de'
 * @example negotiateLanguage('fr;q=0'); // 'en'
 */
export function negotiateLanguage(acceptLanguage: string | undefined): string {
  if (!acceptLanguage) return FALLBACK_LANGUAGE;
  // Some callers send the name of a POSIX locale.
  const elements = elementsOf(acceptLanguage).map((element) => element.replaceAll('_', '-'));
  const accepted = new Negotiator({ headers: { 'accept-language': elements.join() } }).languages();
  // Negotiator omits refused ranges. A language is refused if a longer range names it than any accepted one.
  const named = elements.map((element) => ELEMENT.exec(element)?.[1] ?? '');
  const isAcceptable = ({ tag }: Spoken): boolean => longestMatch(named, tag) <= longestMatch(accepted, tag);

  for (const range of accepted) {
    if (LANGUAGE_RANGE.test(range)) {
      const found = lookUp(range, spokenAs(range).filter(isAcceptable));
      if (found) return found.language;
    }
  }
  if (accepted.includes('*')) {
    const acceptable = SPOKEN.filter(isAcceptable).map(({ language }) => language);
    return acceptable.includes(FALLBACK_LANGUAGE) ? FALLBACK_LANGUAGE : (acceptable[0] ?? FALLBACK_LANGUAGE);
  }
  return FALLBACK_LANGUAGE;
}

/** Tells nestjs-i18n the language of a request. Its own `AcceptLanguageResolver` returns `fr` for `fr;q=0`. */
export class NegotiatedLanguageResolver implements I18nResolver {
  resolve(context: ExecutionContext): string {
    const request = context.switchToHttp().getRequest<SpokenRequest>();
    return negotiateLanguage(request.headers['accept-language']);
  }
}

/** A request as nestjs-i18n's middleware leaves it. */
export interface SpokenRequest {
  /** The language that {@link NegotiatedLanguageResolver} chose. */
  i18nLang?: string;
  headers: IncomingHttpHeaders;
}

/** The language of the answer to a request. One that was refused before the middleware saw it has only its header. */
export function languageOf({ i18nLang, headers }: SpokenRequest): string {
  return i18nLang ?? negotiateLanguage(headers['accept-language']);
}

/** The languages with the range's primary subtag. */
function spokenAs(range: string): readonly Spoken[] {
  const [primary] = range.split('-', 1);
  return SPOKEN.filter(({ tag }) => beginsWith(tag, primary ?? range));
}

/** RFC 4647 lookup of one range among languages with its primary subtag: drop subtags from its end until one fits. */
function lookUp(range: string, spoken: readonly Spoken[]): Spoken | undefined {
  if (spoken.length <= 1) return spoken[0];
  // Script and region decide; eight subtags hold them and bound the work.
  for (const shorter of truncations(range.split('-', 8).join('-'))) {
    for (const likely of truncations(likelyTag(shorter) ?? '')) {
      const found = spoken.find((candidate) => beginsWith(candidate.likely, likely));
      if (found) return found;
    }
  }
  return spoken[0];
}

/** `zh-hant-hk`, `zh-hant`, `zh`. */
function truncations(tag: string): string[] {
  const subtags = tag.split('-').filter((subtag) => subtag !== '*' && subtag !== '');
  return subtags.map((_, dropped) => subtags.slice(0, subtags.length - dropped).join('-'));
}

/** The tag with its most likely script and region, or undefined if it is not a BCP 47 tag. */
function likelyTag(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().baseName.toLowerCase();
  } catch {
    return undefined;
  }
}

/** The length of the longest of the ranges that the tag begins with; 0 if there is none. */
function longestMatch(ranges: readonly string[], tag: string): number {
  return ranges.reduce((longest, range) => (beginsWith(tag, range) ? Math.max(longest, range.length) : longest), 0);
}

/** RFC 4647 basic filtering: whether the tag is the range, or goes on with a further subtag. */
function beginsWith(tag: string, range: string): boolean {
  return tag === range || tag.startsWith(`${range}-`);
}
