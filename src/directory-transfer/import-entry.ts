import type { JournalAction } from '../contract/journal';

/** One of two actions, by a condition in SQL. */
export interface EitherAction {
  when: string;
  then: JournalAction;
  otherwise: JournalAction;
}

/** An entry to append, as SQL for each of its parts: `NULL` if there is none. */
export const entry = (
  action: JournalAction | EitherAction,
  user: string,
  workspaces: string,
  before: string,
  after: string,
): string => `ROW(${actionOf(action)}, ${user}, ${workspaces}, ${before}, ${after})::journal_new_entry`;

function actionOf(action: JournalAction | EitherAction): string {
  if (typeof action === 'string') return `'${action}'`;
  return `CASE WHEN ${action.when} THEN '${action.then}' ELSE '${action.otherwise}' END`;
}
