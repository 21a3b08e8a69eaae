import { readFile, stat } from 'node:fs/promises';
import type { DatabasePasswords } from '../config/database.config';

export interface PasswordFor {
  host: string;
  port: number;
  database: string;
  user: string;
}

const NO_PASSWORD =
  'the server asks for a password, and there is none: give it in DATABASE_URL, DATABASE_PASSWORD_FILE, PGPASSWORD or PGPASSFILE';
const READABLE_BY_OTHERS = 0o077;

/**
 * Finds the password for each new connection, so a password that is changed in a file takes effect with the next
 * connection.
 *
 * @throws Error when there is none, or its file cannot be read
 */
export async function findPassword(passwords: DatabasePasswords, server: PasswordFor): Promise<string> {
  if (passwords.file !== undefined) return (await readFile(passwords.file, 'utf8')).replace(/\r?\n$/, '');
  const password = passwords.variable ?? (await findInPassFile(passwords.passFile, server));
  if (password === undefined) throw new Error(NO_PASSWORD);
  return password;
}

/** Like libpq, it refuses a file that others can read, but with a message. */
async function findInPassFile(path: string, server: PasswordFor): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isFile()) return undefined;
  if (process.platform !== 'win32' && (stats.mode & READABLE_BY_OTHERS) !== 0) {
    throw new Error(`${NO_PASSWORD}; the password file must be readable by its owner alone (chmod 600)`);
  }
  return passwordIn(await readFile(path, 'utf8'), server);
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
