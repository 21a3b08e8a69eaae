import type { UserStatus } from '../contract/directory';
import { ServiceError } from '../contract/errors';
import { isReason, isUserStatus } from '../contract/record-fields';
import type { AssignStatusesDto } from './dto/assign-statuses.dto';
import type { BulkOptions } from './bulk-options';
import { type KnownIds, USER_IDS } from './id-list.rules';
import { reasonRefusal } from './reason.rules';
import { firstRefusal } from './workspace-assignment.rules';

/**
 * The first refusal in the contract's order (section 2, rows 3, 4 and 8, then the status and the reason), if there is
 * one.
 *
 * Without `known`, the database has not been queried yet. The result is then only a refusal that no query could change.
 */
export function firstStatusRefusal(
  { userIds, status, reason }: AssignStatusesDto,
  options: BulkOptions,
  known?: KnownIds,
): ServiceError | undefined {
  const refusal = firstRefusal({ userIds }, options, known, [USER_IDS]);
  if (refusal || !known) return refusal;
  if (!isUserStatus(status)) return new ServiceError('status.invalid', { errors: [{ pointer: '/status' }] });
  return reasonRefusal(reason);
}

/** The status to set; null if the request must be refused for its status or its reason, unless its users are refused first. */
export function statusToGive({ status, reason }: AssignStatusesDto): UserStatus | null {
  return isUserStatus(status) && isReason(reason) ? status : null;
}
