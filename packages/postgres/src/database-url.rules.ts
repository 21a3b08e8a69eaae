import { readFileSync } from 'node:fs';

const SHAPE = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

/**
 * Splits a PostgreSQL URL with several hosts, or with a user and none, as libpq permits, into URLs that `URL` can
 * parse.
 *
 * @returns one URL for each host, in the same order; none if the text is not a PostgreSQL URL
 * @example serversIn('postgres://u@a:5432,b:5432/db'); // ['postgres://u@a:5432/db', 'postgres://u@b:5432/db']
 */
export function serversIn(url: string): readonly string[] {
  const [, scheme, user = '', hosts, rest = ''] = SHAPE.exec(url) ?? [];
  if (scheme === undefined || hosts === undefined) return [];
  const servers = (hosts || (user && 'localhost')).split(',').map((host) => `${scheme}${user}${host}${rest}`);
  return servers.every((server) => URL.canParse(server)) ? servers : [];
}

/** libpq's names for choices of a server that can be writable. The service always needs a writable one. */
const WRITABLE = ['any', 'read-write', 'primary'];
const CERTIFICATE_FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/** What `PGSSLMODE` can be. `pg` takes any other word for no encryption. */
export const SSL_MODES_OF_LIBPQ = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
/** In the place of a file: the authorities that Node trusts. Like libpq, the service then verifies the server fully. */
const SYSTEM_ROOTS = 'system';

/**
 * The parameters that `pg` and the service honour, and those of libpq whose values change nothing here, with their
 * values if those are few. `pg` ignores any other without a word.
 */
const PARAMETERS: Readonly<Record<string, readonly string[] | RegExp>> = {
  host: /^[^,]+$/,
  port: /^\d+$/,
  user: /./,
  password: /./,
  sslmode: [...SSL_MODES_OF_LIBPQ, 'no-verify'],
  sslrootcert: /./,
  sslcert: /./,
  sslkey: /./,
  sslnegotiation: ['postgres', 'direct'],
  uselibpqcompat: ['true', 'false'],
  application_name: /./,
  fallback_application_name: /./,
  connect_timeout: /^[1-9]\d{0,3}$/,
  options: /./,
  target_session_attrs: WRITABLE,
  channel_binding: ['disable', 'prefer', 'require'],
  gssencmode: ['disable', 'prefer'],
  sslcompression: ['0'],
  sslsni: ['1'],
  client_encoding: /^(?:utf-?8|auto)$/i,
  keepalives: ['0', '1'],
  keepalives_idle: /^\d{1,9}$/,
  keepalives_interval: /^\d{1,9}$/,
  keepalives_count: /^\d{1,9}$/,
};
const NAMES = Object.keys(PARAMETERS);

/**
 * The problems of a URL, as the ends of sentences that begin with the name of its variable.
 *
 * @param meant the name that a misspelt parameter is near to, if there is one
 */
export function problemsOfDatabaseUrl(
  url: string,
  meant: (name: string, names: readonly string[]) => string | undefined = () => undefined,
): string[] {
  const [first] = serversIn(url);
  if (first === undefined) return ['must be a URL that starts with postgres:// or postgresql://.'];
  const { searchParams, search, hash } = new URL(first);
  const problems = [...new Set(searchParams.keys())].flatMap((name) => {
    if (!NAMES.includes(name)) return [unknown(name, search, meant(name.toLowerCase(), NAMES))];
    const values = searchParams.getAll(name);
    if (values.length > 1) return [`must have ${name} once.`];
    return problemsOfValue(name, values[0] as string);
  });
  if (hash !== '') problems.push('must not have a fragment: write # as %23.');
  const sslMode = searchParams.get('sslmode');
  if (hasSystemRoots(searchParams) && sslMode !== null && sslMode !== 'verify-full')
    problems.push('must have sslmode=verify-full beside sslrootcert=system.');
  if (searchParams.get('channel_binding') === 'require' && [null, 'disable', 'allow'].includes(sslMode))
    problems.push('must have an sslmode that encrypts beside channel_binding=require.');
  return [...problems, ...problemsOfCertificates(first)];
}

/** A query with an `@` is that of a URL whose password is not encoded, so no part of it is quoted. */
function unknown(name: string, query: string, meant: string | undefined): string {
  const what = /^[\w-]+$/.test(name) && !query.includes('@') ? `the unknown parameter ${name}` : 'an unknown parameter';
  return meant !== undefined ? `has ${what}: did you mean ${meant}?` : `has ${what}: it can have ${NAMES.join(', ')}.`;
}

function problemsOfValue(name: string, value: string): string[] {
  const permitted = PARAMETERS[name] as readonly string[] | RegExp;
  if (permitted instanceof RegExp ? permitted.test(value) : permitted.includes(value)) return [];
  if (name === 'target_session_attrs') {
    return ['must lead to a server that accepts writes: remove target_session_attrs, or set it to read-write.'];
  }
  if (name === 'host' && value !== '') {
    return ['must name several hosts before the database: postgres://a:5432,b:5432/directory.'];
  }
  // That of an empty one is told with the file.
  if (CERTIFICATE_FILES.includes(name)) return [];
  const values = permitted instanceof RegExp ? '' : `: one of ${permitted.join(', ')}`;
  return [`must have a valid value as ${name}${values}.`];
}

/** Whether the URL of one server means the authorities that Node trusts. */
export function hasSystemRoots(parameters: URLSearchParams): boolean {
  return parameters.get('sslrootcert') === SYSTEM_ROOTS;
}

/** Whether the URL of one server has a password. */
export function hasPassword(url: string): boolean {
  const { password, searchParams } = new URL(url);
  return password !== '' || searchParams.has('password');
}

/** The certificates and keys of a URL that cannot be read, as the ends of such sentences. */
function problemsOfCertificates(url: string): string[] {
  const { searchParams } = new URL(url);
  return CERTIFICATE_FILES.flatMap((name) => {
    if (name === 'sslrootcert' && hasSystemRoots(searchParams)) return [];
    const code = whyUnreadable(searchParams.get(name));
    return code ? [`names a file in ${name} that cannot be read (${code}).`] : [];
  });
}

/** The system's code for why a file cannot be read; undefined if it can, or if there is none to read. */
function whyUnreadable(path: string | null): string | undefined {
  try {
    if (path !== null) readFileSync(path);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
