import type { JournalAction } from '../contract/journal';

/** What to look for. Everything given must hold. */
export interface JournalFilter {
  user?: string;
  workspace?: string;
  actor?: string;
  action?: JournalAction;
  from?: Date;
  /** Not included. */
  to?: Date;
}

/** A place between two entries, in the order in which pages tell them: by time, and by id among those of one moment. */
export interface JournalPosition {
  at: Date;
  id: string;
}

/** The parts of a query for entries, newest first. */
export interface JournalSearch {
  /** What stands between FROM and ORDER BY; `entry` is the entry. */
  source: string;
  order: string;
  parameters: unknown[];
}

/**
 * Each filter has an index in the order of the pages, so that a page reads little more than it shows, however long ago that
 * was. What concerns a workspace is found by its seals, because no index holds the many workspaces of an entry in that order;
 * together with a user, it is looked for among what was done to that user.
 */
export function searchFor(filter: JournalFilter, limit: number, olderThan?: JournalPosition): JournalSearch {
  const parameters: unknown[] = [];
  const where = (...conditions: (readonly [condition: string, ...values: unknown[]])[]): string =>
    conditions
      .filter(([, value]) => value !== undefined)
      .map(([condition, ...values]) => condition.replace(/\?/g, () => `$${parameters.push(values.shift())}`))
      .reduce((all, condition) => `${all} AND ${condition}`, 'TRUE');
  const { user, workspace, actor, action, from, to } = filter;
  const entries = where(
    ['entry.user_id = ?', user],
    ['entry.workspace_ids @> ARRAY[?]', workspace],
    ['entry.actor_id = ?', actor],
    ['entry.action = ?', action],
    ['entry.at >= ?', from],
    ['entry.at < ?', to],
    ['(entry.at, entry.id) < (?, ?)', olderThan?.at, olderThan?.id],
  );
  if (workspace === undefined || user !== undefined) {
    return { source: `journal_entries AS entry WHERE ${entries}`, order: 'entry.at DESC, entry.id DESC', parameters };
  }
  const places = where(['workspace_id = ?', workspace], ['at >= ?', from], ['at < ?', to], ['at <= ?', olderThan?.at]);
  // From a seal of thousands no more than fit on the page. Ids and positions grow together.
  return {
    source: `(SELECT * FROM journal_workspace_seals WHERE ${places}) AS place CROSS JOIN LATERAL (
      SELECT * FROM journal_entries AS entry WHERE chain = place.chain AND seal = place.seal AND ${entries}
      ORDER BY position DESC LIMIT ${limit}
    ) AS entry`,
    order: 'place.at DESC, entry.id DESC',
    parameters,
  };
}
