import { DatabaseError } from 'pg';
import { type ErrorCode, type ErrorDetails, ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import {
  databaseCode,
  driverErrorOf,
  isDatabaseUnavailable,
  isOvertaken,
  OutcomeUnknownError,
} from '@user-administration/postgres';

type Refusal = [code: ErrorCode, details?: ErrorDetails];

const ID_TAKEN: Refusal = ['record.id_taken', { errors: [{ pointer: '/id' }] }];

/** By the SQLSTATE that a SQL function raises, or by the unique constraint that a write violates. */
const REFUSALS = new Map<string | undefined, Refusal>([
  ['UA001', ['directory.last_administrator']],
  ['UA002', ['status.not_permitted']],
  ['UA003', ['auth.token_invalid']],
  ['UA004', ['auth.administrator_required']],
  ['UA005', ['request.too_large_to_represent', { args: { max: LIMITS.representedMemberships } }]],
  // Another program has taken the types over: `user-type-owner.ts` refuses its start, and this one has to end.
  ['UA006', ['service.failed']],
  ['UA007', ['until.invalid', { errors: [{ pointer: '/until' }] }]],
  ['users_id_unique', ID_TAKEN],
  ['workspaces_id_unique', ID_TAKEN],
  ['groups_id_unique', ID_TAKEN],
  ['permissions_id_unique', ID_TAKEN],
  ['users_email_unique', ['user.email_taken', { errors: [{ pointer: '/email' }] }]],
]);

const UNIQUE_VIOLATION = '23505';

/** The refusal of a change behind a failed statement. Undefined for any other failure. */
export function refusalOf(error: unknown): ServiceError | undefined {
  const cause = driverErrorOf(error);
  const isTaken = cause instanceof DatabaseError && cause.code === UNIQUE_VIOLATION;
  const [code, details] = REFUSALS.get(isTaken ? cause.constraint : databaseCode(cause)) ?? [];
  return code && new ServiceError(code, details, { cause: error });
}

/** The answer to a caller for a database failure, or for a conflict that did not end. */
export function translateDatabaseError(error: unknown): ServiceError | undefined {
  if (error instanceof OutcomeUnknownError) return new ServiceError('service.outcome_unknown', {}, { cause: error });
  return isDatabaseUnavailable(error) || isOvertaken(error)
    ? new ServiceError('service.unavailable', {}, { cause: error })
    : undefined;
}
