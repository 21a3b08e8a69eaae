import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** What a caller prefers (RFC 7240), of what operations on many users heed. */
export interface Preferences {
  /** `return=representation`: answer with what changed. */
  readonly representation: boolean;
  /** `handling=lenient`: leave out what is unknown. */
  readonly lenient: boolean;
}

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const BLANK = '[ \\t]*';
/** One preference of a list: its name, its value, and parameters, none of which means anything here. */
const PREFERENCE = new RegExp(
  `^(${TOKEN})(?:${BLANK}=${BLANK}(${TOKEN}|${QUOTED}))?(?:${BLANK};(?:${BLANK}${TOKEN}(?:${BLANK}=${BLANK}(?:${TOKEN}|${QUOTED}))?)?)*$`,
);
/** The members of a list. A comma between double quotes ends none. */
const MEMBER = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;

/** Longer ones come from nobody who means it, and are not read. */
const MAX_HEADER = 1_000;

/**
 * Reads `Prefer`, whose fields Node has joined by commas. Names and values have no case; of a preference that is given twice, the
 * first counts (RFC 7240 section 2). What is unknown or malformed is ignored.
 *
 * @example readPreferences('respond-async, RETURN="representation"; foo=1'); // { representation: true, lenient: false }
 */
export function readPreferences(header: string | string[] | undefined): Preferences {
  const preferences = new Map<string, string>();
  const text = String(header ?? '');
  for (const [member] of text.length > MAX_HEADER ? [] : text.matchAll(MEMBER)) {
    const [, name, value = ''] = PREFERENCE.exec(member.trim()) ?? [];
    const key = name?.toLowerCase();
    if (key && !preferences.has(key)) preferences.set(key, unquoted(value).toLowerCase());
  }
  return {
    representation: preferences.get('return') === 'representation',
    lenient: preferences.get('handling') === 'lenient',
  };
}

/** The preferences of a request that were heeded, as `Preference-Applied` names them; empty for none. */
export function appliedPreferences(header: string | string[] | undefined): string {
  const { representation, lenient } = readPreferences(header);
  return [representation && 'return=representation', lenient && 'handling=lenient'].filter(Boolean).join(', ');
}

/** Gives a handler the {@link Preferences} of the request. */
export const CurrentPreferences = createParamDecorator((_: unknown, context: ExecutionContext): Preferences =>
  readPreferences(context.switchToHttp().getRequest<Request>().headers.prefer),
);

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}
