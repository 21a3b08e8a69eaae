import type { JournalFilter } from '@user-administration/client';
import { goTo, href, parseAddress } from '../routing/address.ts';
import { momentsOf } from '../ui/days.ts';
import { isAction, type JournalAction } from './kinds.ts';

/** What the address asks of the journal. `from` and `to` are days of the browser's calendar, both included. */
export interface HistoryFilter {
  user?: string;
  workspace?: string;
  actor?: string;
  action: JournalAction[];
  from?: string;
  to?: string;
}

export function filterOf(query: URLSearchParams): HistoryFilter {
  const one = (name: string) => query.get(name) || undefined;
  return {
    user: one('user'),
    workspace: one('workspace'),
    actor: one('actor'),
    action: [...new Set(query.getAll('action').filter(isAction))],
    from: one('from'),
    to: one('to'),
  };
}

/** Changes some of the filters in the address; the browser's way back returns to the ones before. */
export function changeFilter(changes: Partial<HistoryFilter>): void {
  goTo(href(['history'], { ...filterOf(parseAddress(location.hash).query), ...changes }));
}

export function toJournalFilter({ user, workspace, actor, action, from, to }: HistoryFilter): JournalFilter {
  return { user, workspace, actor, action: action.length > 0 ? action : undefined, ...momentsOf(from, to) };
}
