/** The connection that a password is for. */
export interface PasswordFor {
  host: string;
  port: number;
  database: string;
  user: string;
}

/** A field ends at a colon; a backslash before a colon or a backslash makes it an ordinary character. */
const FIELD = /((?:\\.|[^:\\])*)(?::|$)/gy;

/**
 * The password in a file of libpq (`PGPASSFILE`): that of the first matching line `host:port:database:user:password`,
 * where `*` matches everything.
 */
export function passwordIn(file: string, { host, port, database, user }: PasswordFor): string | undefined {
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of file.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = [...line.matchAll(FIELD)].map(([, field = '']) => field.replace(/\\(.)/g, '$1'));
    const password = fields[wanted.length];
    if (password && wanted.every((value, at) => fields[at] === '*' || fields[at] === value)) return password;
  }
  return undefined;
}
