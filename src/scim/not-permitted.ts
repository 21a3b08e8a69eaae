import type { UserType } from '../contract/directory';
import { ServiceError } from '../contract/errors';
import type { JudgedConnection } from './judge-connection';

/** The refusal of what takes `mayGrantAdministrator`. */
export function notPermitted(cause: string): ServiceError {
  return new ServiceError('auth.administrator_required', {}, { cause: `the connection may not do this: ${cause}` });
}

/**
 * For a user who was created or changed: an application's own rule can derive types from ids and emails.
 *
 * @throws ServiceError `auth.administrator_required`
 */
export function requireGranted({ mayGrantAdministrator }: JudgedConnection, type: UserType): void {
  if (type === 'administrator' && !mayGrantAdministrator) throw notPermitted('it would make an administrator');
}
