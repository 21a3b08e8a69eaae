import type { ClientOptions, Hooks, RequestContext } from '../client-options.ts';
import { isToken, type TokenSource } from '../tokens/token-source.ts';
import { UserAdministrationError } from '../user-administration-error.ts';

/** The options of a client, checked, with their defaults. */
export interface Settings {
  /** Without a slash at the end. */
  baseUrl: string;
  token: TokenSource;
  language: string | undefined;
  timeoutMs: number;
  deadlineMs: number;
  retries: number;
  fetch: typeof globalThis.fetch;
  context: () => RequestContext | undefined;
  hooks: Hooks;
}

/** The longest that a timer can wait. */
const MAX_MS = 2 ** 31 - 1;

/** @throws UserAdministrationError `client.option_invalid` */
export function readSettings(options: ClientOptions): Settings {
  const { token } = options;
  if (typeof token !== 'function' && !isToken(token)) {
    throw invalid('token must be an access token, or a function that gives one');
  }
  if (options.fetch !== undefined && typeof options.fetch !== 'function') throw invalid('fetch must be a function');
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    token,
    language: readHeader('language', options.language),
    timeoutMs: readMs('timeoutMs', options.timeoutMs ?? 10_000),
    deadlineMs: readMs('deadlineMs', options.deadlineMs ?? 30_000),
    retries: readRetries(options.retries ?? 5),
    // Looked up at each call, so that a test can put another in its place.
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
 * A value that can stand in a header.
 *
 * @throws UserAdministrationError `client.option_invalid`
 */
export function readHeader(name: string, value: string | undefined): string | undefined {
  if (value === undefined || (typeof value === 'string' && /^[ -~]+$/.test(value))) return value;
  throw invalid(`${name} must be text of visible ASCII`);
}

function readBaseUrl(value: string | URL): string {
  const url = URL.canParse(String(value)) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw invalid(`baseUrl must be an http or https URL, and is ${JSON.stringify(String(value))}`);
  }
  if (url.username || url.password) throw invalid('baseUrl must have no user name and no password');
  if (url.search || url.hash) throw invalid('baseUrl must have no query and no fragment');
  return url.href.replace(/\/+$/, '');
}

function invalid(detail: string): UserAdministrationError {
  return new UserAdministrationError({ code: 'client.option_invalid', detail: `${detail}.` });
}
