import type { JournalAction } from '../contract/journal';

/** One of two actions, by a condition in SQL. */
export interface EitherAction {
  when: string;
  then: JournalAction;
  otherwise: JournalAction;
}

/** An entry yet to be appended, as SQL of its parts: `NULL` where there is none. */
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
