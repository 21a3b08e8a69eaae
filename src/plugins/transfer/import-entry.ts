import type { JournalAction } from '../../contract/journal';

/** One of two actions, by a condition in SQL. */
interface EitherAction {
  when: string;
  then: JournalAction;
  otherwise: JournalAction;
}

/** An entry to append, as SQL for each of its parts. */
export function entry(
  action: JournalAction | EitherAction,
  parts: { user?: string; workspaces?: string; before?: string; after?: string },
): string {
  const { user = 'NULL', workspaces = 'NULL', before = 'NULL', after = 'NULL' } = parts;
  const name =
    typeof action === 'string'
      ? `'${action}'`
      : `CASE WHEN ${action.when} THEN '${action.then}' ELSE '${action.otherwise}' END`;
  return `ROW(${name}, ARRAY[${user}]::text[], ${workspaces}, ${before}, ${after})::journal_new_change`;
}
