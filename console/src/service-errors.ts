import { UserAdministrationError } from '@user-administration/client';

export const isServiceError = (error: unknown): error is UserAdministrationError =>
  error instanceof UserAdministrationError;

/** Nobody is signed in any more. */
export const isSignedOut = (error: unknown): boolean =>
  isServiceError(error) && (error.status === 401 || error.code === 'client.token_failed');

/** Whether a change may have been made although its call failed, or can be made later. */
export const isUnsettled = (error: unknown): boolean =>
  isServiceError(error) && (error.temporary || error.outcomeUnknown);

/** The record has changed since it was shown. */
export const isOutdated = (error: unknown): boolean => isServiceError(error) && error.status === 412;
