import { Writable } from 'node:stream';
import { Logger } from '@nestjs/common';
import pgpass from 'pgpass';
import { readSecretText } from './secret-text';

/** Sources of the password, if the URL has none. Files are read again for each new connection. */
export interface DatabasePasswords {
  /** A file that contains only the password. */
  readonly file?: string | undefined;
  /** libpq's `PGPASSWORD`. Without it, the package `pgpass` reads libpq's password file (`PGPASSFILE`). */
  readonly variable?: string | undefined;
}

export interface PasswordFor {
  host: string;
  port: number;
  database: string;
  user: string;
}

const NO_PASSWORD =
  'the server asks for a password, and there is none: give it in DATABASE_URL, ' +
  'DATABASE_PASSWORD_FILE, PGPASSWORD or PGPASSFILE';

// It says why it ignores a file, such as one that others can read.
const logger = new Logger('Database');
pgpass.warnTo(
  new Writable({
    write: (text, _encoding, done) => {
      logger.warn(String(text).trim());
      done();
    },
  }),
);

/**
 * Finds the password for each new connection, so a password that is changed in a file takes effect with the next
 * connection.
 *
 * @throws Error when there is none, or its file cannot be read
 */
export async function findPassword(passwords: DatabasePasswords, server: PasswordFor): Promise<string> {
  if (passwords.file !== undefined) return readSecretText(passwords.file);
  const password = passwords.variable ?? (await inPassFile(server));
  if (password === undefined) throw new Error(NO_PASSWORD);
  return password;
}

/** A server behind a local socket is called localhost there. */
function inPassFile(server: PasswordFor): Promise<string | undefined> {
  const host = server.host.startsWith('/') ? 'localhost' : server.host;
  return new Promise((resolve) => pgpass({ ...server, host }, resolve));
}
