import type { ClientOptions } from '../client-options.ts';
import { isToken } from '../tokens/token-source.ts';
import { UserAdministrationError } from '../user-administration-error.ts';
import { refuseUnknownOptions } from './known-names.ts';

/** The longest delay of a timer in Node. */
const MAX_MS = 2 ** 31 - 1;

/** The validated options of a client, with defaults. */
export type Settings = ReturnType<typeof readSettings>;

/** @throws UserAdministrationError `client.option_invalid` */
export function readSettings(options: ClientOptions) {
  refuseUnknownOptions(options, {
    baseUrl: true,
    token: true,
    language: true,
    timeoutMs: true,
    deadlineMs: true,
    retries: true,
    fetch: true,
    context: true,
    hooks: true,
  });
  const { token } = options;
  if (typeof token !== 'function' && !isToken(token)) {
    throw invalid('token must be an access token, or a function that returns one');
  }
  if (options.fetch !== undefined && typeof options.fetch !== 'function') throw invalid('fetch must be a function');
  return {
    /** Without a trailing slash. */
    baseUrl: readBaseUrl(options.baseUrl),
    token,
    language: readHeader('language', options.language),
    timeoutMs: readMs('timeoutMs', options.timeoutMs ?? 10_000),
    deadlineMs: readMs('deadlineMs', options.deadlineMs ?? 30_000),
    retries: readRetries(options.retries ?? 5),
    // Looked up at each call, so that a test can replace the global function.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    context: options.context ?? (() => undefined),
    hooks: options.hooks ?? {},
  };
}

/** @throws UserAdministrationError `client.option_invalid` */
export function readMs(name: string, value: number): number {
  return readWhole(name, value, 1, MAX_MS);
}

/** @throws UserAdministrationError `client.option_invalid` */
export function readRetries(value: number): number {
  return readWhole('retries', value, 0, 1_000);
}

function readWhole(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalid(`${name} must be a whole number from ${min} to ${max}`);
}

/**
 * Checks that a header can contain the value.
 *
 * @throws UserAdministrationError `client.option_invalid`
 */
export function readHeader(name: string, value: string | undefined): string | undefined {
  if (value === undefined || (typeof value === 'string' && /^[ -~]+$/.test(value))) return value;
  throw invalid(`${name} must be text of visible ASCII characters`);
}

/** @throws UserAdministrationError `client.option_invalid` */
export function readUrl(name: string, value: string | URL): URL {
  const url = URL.canParse(String(value)) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    // A user name and a password stand before the last `@`.
    const shown = String(value).replace(/.*@/s, '...@');
    throw invalid(`${name} must be an http or https URL, but is ${JSON.stringify(shown)}`);
  }
  if (url.username || url.password) throw invalid(`${name} must not contain a user name or a password`);
  return url;
}

function readBaseUrl(value: string | URL): string {
  const url = readUrl('baseUrl', value);
  if (url.search || url.hash) throw invalid('baseUrl must not contain a query or a fragment');
  return url.href.replace(/\/+$/, '');
}

export function invalid(detail: string): UserAdministrationError {
  return new UserAdministrationError({ code: 'client.option_invalid', detail: `${detail}.` });
}
