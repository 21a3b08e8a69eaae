import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/**
 * The caller's preferences (RFC 7240). Operations on many users support all of them, and every route with a body
 * supports `strict`.
 */
export interface Preferences {
  /** `return=representation`: the answer lists the changes. */
  readonly representation: boolean;
  /** `handling=lenient`: unknown ids are skipped. */
  readonly lenient: boolean;
  /** `handling=strict`: unknown fields of the body are refused. */
  readonly strict: boolean;
}

const TOKEN = "[!#$%&'*+.^_`|~\\w-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const BLANK = '[ \\t]*';
/** One preference of a list: its name, its value, and its parameters, which are ignored. */
const VALUE = `${TOKEN}|${QUOTED}`;
const PREFERENCE = new RegExp(
  `^(${TOKEN})(?:${BLANK}=${BLANK}(${VALUE}))?` +
    `(?:${BLANK};(?:${BLANK}${TOKEN}(?:${BLANK}=${BLANK}(?:${VALUE}))?)?)*$`,
);
/** The members of a list. A comma between double quotes does not separate. */
const MEMBER = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;

const STRICT = 'handling=strict';

/** No legitimate field is longer, so longer ones are not read. */
const MAX_HEADER = 1_000;

/**
 * Reads `Prefer`, whose fields Node has joined with commas. Names and values are case-insensitive; if a preference is
 * repeated, the first one counts (RFC 7240 section 2). Unknown or malformed preferences are ignored.
 *
 * @example readPreferences('respond-async, RETURN="representation"; foo=1'); // { representation: true, lenient: false,
 * strict: false }
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
    strict: preferences.get('handling') === 'strict',
  };
}

/** The preferences that an operation on many users applies, in the format of `Preference-Applied`; empty for none. */
export function appliedPreferences(header: string | string[] | undefined): string {
  const { representation, lenient, strict } = readPreferences(header);
  return [representation && 'return=representation', lenient && 'handling=lenient', strict && STRICT]
    .filter(Boolean)
    .join(', ');
}

/** The same for a route that supports nothing but strictness. */
export function appliedStrictness(header: string | string[] | undefined): string {
  return readPreferences(header).strict ? STRICT : '';
}

/** Passes the {@link Preferences} of the request to a handler. */
export const CurrentPreferences = createParamDecorator((_: unknown, context: ExecutionContext): Preferences =>
  readPreferences(context.switchToHttp().getRequest<Request>().headers.prefer),
);

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}
