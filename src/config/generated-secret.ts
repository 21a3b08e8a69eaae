import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir } from './data-dir';
import { NotUtf8Error, OtherOwnerError, readSecretText } from '@user-administration/postgres/settings';

/** The minimum key size of HS256 (RFC 7518 section 3.2). */
export const MIN_SECRET_BYTES = 32;

const GENERATED = ['jwt-secret', 'status-token-secret'] as const;
const READABLE_BY_OTHERS = 0o044;

/**
 * The secret of this name in the data folder. It is generated at first use, so that a first start needs no
 * configuration. Processes that start together agree on one secret: each writes its own to a temporary file and links
 * it into place, which only one can do.
 */
export function generatedSecret(dataDir: string, name: (typeof GENERATED)[number]): string {
  const file = join(dataDir, name);
  makeDataDir(dataDir);
  const existing = readSecret(file);
  if (existing) return existing;
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readSecret(file) as string;
}

/**
 * The files of generated secrets that are in use and that other users of this machine may read. On Windows, modes say
 * nothing.
 */
export function exposedSecrets(dataDir: string, used: readonly string[]): string[] {
  if (process.platform === 'win32') return [];
  return GENERATED.map((name) => join(dataDir, name)).filter((file) => {
    try {
      return (statSync(file).mode & READABLE_BY_OTHERS) !== 0 && used.includes(readFileSync(file, 'utf8').trim());
    } catch {
      // A file that this process cannot find or read is not in use.
      return false;
    }
  });
}

function readSecret(file: string): string | undefined {
  try {
    const secret = readSecretText(file).trim();
    // The file is damaged and cannot be a key. Silently generating another secret would invalidate every token.
    if (Buffer.byteLength(secret) < MIN_SECRET_BYTES) throw new NotUtf8Error();
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const lack =
      error instanceof OtherOwnerError
        ? 'belongs to another user, who may know the secret'
        : error instanceof NotUtf8Error && 'does not contain a secret';
    throw lack ? new Error(`${file} ${lack}; remove it to generate a new one`) : error;
  }
}
