import { render } from 'preact';
import type { JournalEntry, JournalFilter } from '@user-administration/client';
import { localTime } from '../csv.ts';
import { t } from '../language/language.ts';
import { emailOf, labelOf, loadNames, type NamedKind } from '../names.ts';
import { service } from '../service.ts';
import { SaveButton } from '../ui/save-button.tsx';
import { after, before, listOf } from './facts.ts';
import { loggedName } from './logged-names.ts';
import { Sentence } from './sentence.tsx';

const PAGE = 200;
const HEAD = [
  'time',
  'what happened',
  'reason',
  'person',
  'email',
  'workspaces',
  'changed by',
  'action',
  'user id',
  'workspace ids',
  'actor kind',
  'actor id',
  'before',
  'after',
  'request id',
];

/** Saves all entries that match, as the sentences of the page with names and addresses, beside the ids. */
export function SaveHistory({ filter }: { filter: JournalFilter }) {
  return <SaveButton label={t('people.save')} name="history" head={HEAD} rows={(signal) => rowsOf(filter, signal)} />;
}

async function* rowsOf(filter: JournalFilter, signal: AbortSignal) {
  for await (const { items } of service.journal.list({ ...filter, limit: PAGE }, { signal }).pages()) {
    await Promise.all([
      loadNames(
        'user',
        items.flatMap(({ user, actor }) => [user ?? [], actor.kind === 'user' ? actor.id : []].flat()),
      ),
      loadNames('workspace', idsIn('workspaces', items).concat(items.flatMap(({ workspaces }) => workspaces))),
      loadNames(
        'group',
        items.flatMap((entry) => [...idsIn('groups', [entry]), groupOf(entry) ?? []].flat()),
      ),
    ]);
    yield items.map(rowOf);
  }
}

const idsIn = (name: string, entries: readonly JournalEntry[]): string[] =>
  entries.flatMap((entry) => [...listOf(before(entry), name), ...listOf(after(entry), name)]);

const groupOf = (entry: JournalEntry): string | undefined => {
  const id = after(entry).group ?? before(entry).group;
  return typeof id === 'string' ? id : undefined;
};

function rowOf(entry: JournalEntry) {
  const { at, action, actor, user, workspaces, requestId, reason, erased } = entry;
  const named = (kind: NamedKind, id: string | null) => (id === null ? null : labelOf(kind, id));
  return [
    localTime(at),
    textOf(entry),
    erased ? t('history.erased') : reason,
    named('user', user),
    user && emailOf(user),
    workspaces.map((id) => labelOf('workspace', id)).join('; '),
    actor.kind === 'user' ? labelOf('user', actor.id) : (loggedName('connection', actor.id) ?? actor.id),
    action,
    user,
    workspaces.join('; '),
    actor.kind,
    actor.id,
    entry.before && JSON.stringify(entry.before),
    entry.after && JSON.stringify(entry.after),
    requestId,
  ];
}

/** The sentence as it stands on the page. */
function textOf(entry: JournalEntry): string {
  const element = document.createElement('p');
  render(<Sentence entry={entry} withReason={false} />, element);
  const text = element.textContent ?? '';
  render(null, element);
  return text.replace(/[\u2066-\u2069]/g, '');
}
