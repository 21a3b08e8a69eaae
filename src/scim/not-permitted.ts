import { ServiceError } from '../contract/errors';

/** The refusal of what a connection may not do. */
export function notPermitted(cause: string): ServiceError {
  return new ServiceError('auth.administrator_required', {}, { cause: `the connection may not do this: ${cause}` });
}
