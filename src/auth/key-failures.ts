import { KeysAwayError } from '@user-administration/access-tokens';
import { ServiceError } from '../contract/errors';

/** The answer to a caller whose token cannot be judged, because its key cannot be fetched. */
export function translateKeyFailure(error: unknown): ServiceError | undefined {
  if (!(error instanceof KeysAwayError)) return undefined;
  const { seconds, cause } = error;
  return new ServiceError('service.unavailable', seconds === undefined ? {} : { args: { seconds } }, { cause });
}
