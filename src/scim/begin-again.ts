import { ExpectedError } from '../contract/expected-error';
import { type ErrorCode, ServiceError } from '../contract/errors';
import { databaseCode } from '../database/sql-errors';
import { ScimError } from './scim-error';

const ATTEMPTS = 10;
const UNIQUE_VIOLATION = '23505';
const TAKEN: readonly ErrorCode[] = ['record.id_taken', 'user.email_taken'];

/** Something came to be between the look and the lock. */
export class OutdatedError extends ExpectedError {
  constructor() {
    super('something changed before it was locked');
  }
}

/**
 * Makes a change again that has met another one: a user whom it did not find was created meanwhile, or a name was taken. The next
 * attempt sees that, and takes the user over or refuses.
 *
 * @throws ScimError `uniqueness` if it does not end
 */
export async function beginAgain<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isOutdated(error)) throw error;
      if (attempts === ATTEMPTS) throw new ScimError('uniqueness', 'Another user has this id, name or email address.');
    }
  }
}

function isOutdated(error: unknown): boolean {
  if (error instanceof ScimError) return false;
  if (error instanceof ServiceError) return TAKEN.includes(error.code);
  return error instanceof OutdatedError || databaseCode(error) === UNIQUE_VIOLATION;
}
