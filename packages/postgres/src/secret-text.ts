import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';

/** A file of other bytes than text in UTF-8. */
export class NotUtf8Error extends Error {}

/**
 * The text of a file without trailing line breaks, which editors and `echo` add, and without a byte order mark. Bytes
 * that are not UTF-8 are refused, because they would be changed silently, and so is a NUL: UTF-16 has one in each ASCII
 * character.
 *
 * @throws NotUtf8Error
 */
export function readText(path: string): string {
  return decode(readFileSync(path));
}

/** A file of another owner, who can read and change it. */
export class OtherOwnerError extends Error {
  override readonly message = 'that belongs to the user of this process, or to root';
}

/**
 * As {@link readText}, for a file that only this user and root can have written.
 *
 * @throws OtherOwnerError
 */
export function readSecretText(path: string): string {
  const file = openSync(path, 'r');
  try {
    if (!isTrustedOwner(fstatSync(file).uid, process.geteuid?.())) throw new OtherOwnerError();
    return decode(readFileSync(file));
  } finally {
    closeSync(file);
  }
}

/** @param self undefined where files have no such owner (Windows) */
export function isTrustedOwner(owner: number, self: number | undefined): boolean {
  return self === undefined || owner === self || owner === 0;
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes) || bytes.includes(0)) throw new NotUtf8Error();
  return new TextDecoder().decode(bytes).replace(/[\r\n]+$/, '');
}
