import { USER_STATUSES } from '../contract/directory';
import { LIMITS } from '../contract/limits';

const ids = `be empty or hold ids of 1 to ${LIMITS.identifier} characters, separated by |`;

/** What a cell of each column must do, in words of tables: who fills one knows no lists and no null. */
export const CELLS = {
  id: `hold an id of 1 to ${LIMITS.identifier} characters`,
  email:
    `be empty or hold an address with one @, without blanks or invisible characters, of ${LIMITS.emailAtLeast} to ` +
    `${LIMITS.email} characters`,
  displayName: `be empty or hold a name of 1 to ${LIMITS.name} characters`,
  status: `be one of ${USER_STATUSES.join(', ')}`,
  activeUntil: 'be empty or hold a time with an offset, such as 2030-01-01T00:00:00Z',
  permissions: ids,
  workspaces: ids,
  groups: ids,
} as const;
