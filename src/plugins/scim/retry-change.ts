import type { EntityManager } from 'typeorm';
import { DatabaseError } from 'pg';
import type { Transactions } from '../door';
import { refusalOf } from '../../database/refusals';
import { asOvertaken, driverErrorOf, OvertakenError } from '@user-administration/postgres';
import { ScimError } from './scim-error';

/** The fields of the unique constraints of SCIM. */
const TAKEN = new Map<string | undefined, string>([
  ['scim_users_id_unique', 'id'],
  ['scim_users_user_name_unique', 'userName'],
  ['scim_users_external_id_unique', 'externalId'],
]);

/**
 * {@link Transactions.run}, which also starts again if another transaction took an id, a name or an address that was
 * free: the next attempt finds its owner, and takes the user over or refuses.
 *
 * @throws ServiceError `record.id_taken`, `user.email_taken` or ScimError `uniqueness`, as the last of ten attempts met
 */
export async function retryChange<T>(
  transactions: Transactions,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  try {
    return await transactions.run((manager) =>
      work(manager).catch((error: unknown) => Promise.reject(asOvertaken(error))),
    );
  } catch (error) {
    throw (error instanceof OvertakenError && collisionOf(error.cause)) || error;
  }
}

function collisionOf(cause: unknown): Error | undefined {
  const error = driverErrorOf(cause);
  const field = error instanceof DatabaseError && TAKEN.get(error.constraint);
  return field ? new ScimError('uniqueness', `Another user has this ${field}.`) : refusalOf(cause);
}
