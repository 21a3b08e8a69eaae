import { readFileSync } from 'node:fs';

const SHAPE = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

/** libpq's names for choices of a server that can be writable. The service always needs a writable one. */
const WRITABLE = ['any', 'read-write', 'primary'];
const CERTIFICATE_FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/**
 * Splits a PostgreSQL URL with several hosts, or with a user and none, as libpq permits, into URLs that `URL` can parse.
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

/** The problems of a URL, as the ends of sentences that begin with the name of its variable. */
export function problemsOfDatabaseUrl(url: string): string[] {
  const [first] = serversIn(url);
  if (first === undefined) return ['must be a URL that starts with postgres:// or postgresql://.'];
  const { searchParams } = new URL(first);
  const target = searchParams.get('target_session_attrs');
  const problems = problemsOfCertificates(first);
  if (target !== null && !WRITABLE.includes(target)) {
    problems.push('must lead to a server that accepts writes: remove target_session_attrs, or set it to read-write.');
  }
  if (searchParams.get('host')?.includes(',')) {
    problems.push('must name several hosts before the database: postgres://a:5432,b:5432/directory.');
  }
  return problems;
}

/** The certificates and keys of a URL that cannot be read, as the ends of such sentences. */
export function problemsOfCertificates(url: string): string[] {
  const { searchParams } = new URL(url);
  return CERTIFICATE_FILES.flatMap((name) => {
    const code = whyUnreadable(searchParams.get(name));
    return code ? [`names a file in ${name} that cannot be read (${code}).`] : [];
  });
}

/** The system's code for why a file cannot be read; undefined if it can, or if there is none to read. */
export function whyUnreadable(path: string | null | undefined): string | undefined {
  try {
    if (typeof path === 'string') readFileSync(path);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
