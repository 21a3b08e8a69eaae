import type { JournalAction } from '../contract/journal';

/** An entry yet to be appended, as SQL of its parts: `NULL` where there is none. */
export const entry = (action: JournalAction, user: string, workspaces: string, before: string, after: string): string =>
  `ROW('${action}', ${user}, ${workspaces}, ${before}, ${after})::journal_new_entry`;
