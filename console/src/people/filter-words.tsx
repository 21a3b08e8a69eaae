import type { Group, Workspace } from '@user-administration/client';
import { fold } from '../finding/fold.ts';
import type { Choice } from '../finding/search-box.tsx';
import { type MessageKey, parts, t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { learnNames, type NamedKind, useName } from '../names.ts';
import { firstOf } from '../places/find-places.ts';
import { service } from '../service.ts';
import { Icon } from '../ui/icon.tsx';
import { useLoaded } from '../ui/load.ts';
import { type Filter, type FilterKind, filtersOf, type PeopleQuery, WORD_FILTERS, wordOf } from './people-query.ts';

export type FilterChoice = Choice & Filter;

/** Whether the value is the id of a record of this kind, which has a picture. */
const isRecord = (kind: FilterKind) => kind === 'workspace' || kind === 'group' || kind === 'permission';

/** Of each kind of place, while somebody types. */
const PLACES = 4;

/** The filters that can be chosen for what somebody has typed: words that begin so, and places that match; and the other words. */
export function useFilterChoices(
  text: string,
  query: PeopleQuery,
): { choices: FilterChoice[]; others: FilterChoice[] } {
  const places = useLoaded((signal) => placesFor(query.search, signal), [query.search]);
  const begun = fold(text);
  const words = WORD_FILTERS.map((filter) => ({ ...filter, text: wordOf(filter) }));
  const isBegun = ({ text }: { text: string }) => fold(text).startsWith(begun);
  const asChoices = (filters: readonly (Filter & { text: string })[]): FilterChoice[] =>
    filters
      .filter(({ kind, value }) => query[kind] !== value)
      .map((filter) => ({
        ...filter,
        key: `${filter.kind} ${filter.value}`,
        icon: isRecord(filter.kind) && filter.kind,
      }));
  return {
    // What the service found for fewer letters stays until it has answered.
    choices: asChoices([...words.filter(isBegun), ...(begun === '' ? [] : (places.value ?? []))]),
    others: asChoices(words.filter((word) => !isBegun(word))),
  };
}

async function placesFor(search: string | undefined, signal: AbortSignal): Promise<(Filter & { text: string })[]> {
  if (search === undefined) return [];
  const find = (key: MessageKey) => ({ search: withoutLead(search, key), limit: PLACES });
  const [workspaces, groups, permissions] = await Promise.all([
    firstOf<Workspace>(service.workspaces.list(find('people.in'), { signal })),
    firstOf<Group>(service.groups.list(find('people.in_group'), { signal })),
    firstOf(service.permissions.list(find('people.with'), { signal })),
  ]);
  const ids = [...new Set(groups.map(({ workspace }) => workspace))];
  const parents = ids.length > 0 ? await firstOf<Workspace>(service.workspaces.list({ id: ids }, { signal })) : [];
  learnNames('workspace', [...workspaces, ...parents]);
  learnNames('group', groups);
  const nameOf = (id: string) => parents.find((parent) => parent.id === id)?.name ?? id;
  return [
    ...workspaces.map(({ id, name }) => ({
      kind: 'workspace' as const,
      value: id,
      text: t('people.in', { place: name }),
    })),
    ...groups.map(({ id, name, workspace }) => ({
      kind: 'group' as const,
      value: id,
      text: t('people.in_group', { group: name, workspace: nameOf(workspace) }),
    })),
    ...permissions.map(({ id }) => ({
      kind: 'permission' as const,
      value: id,
      text: t('people.with', { permission: id }),
    })),
  ];
}

/** "in Atlas" looks for "Atlas": what the words of this language have before the name is left out. */
function withoutLead(search: string, key: MessageKey): string {
  const [lead] = parts(key, { place: '', group: '', permission: '' });
  if (typeof lead !== 'string' || !fold(`${search}x`).startsWith(fold(`${lead}x`).slice(0, -1))) return search;
  return search.slice(lead.length).trim() || search;
}

/** The chosen filters, each a button that takes it away. */
export function ChosenFilters({ query, onRemove }: { query: PeopleQuery; onRemove: (filter: Filter) => void }) {
  return (
    <>
      {filtersOf(query).map((filter) => (
        <button
          key={filter.kind}
          type="button"
          class="word chosen marked"
          title={filter.value}
          onClick={() => onRemove(filter)}
        >
          {isRecord(filter.kind) && <Icon name={filter.kind} />}
          <FilterText {...filter} /> <span aria-hidden="true">✕</span>
          <span class="visually-hidden">{t('people.remove_filter')}</span>
        </button>
      ))}
    </>
  );
}

function FilterText({ kind, value }: Filter) {
  if (kind === 'status' || kind === 'type' || kind === 'ends') return <>{wordOf({ kind, value })}</>;
  if (kind === 'permission') return rich('people.with', { permission: value });
  if (kind === 'workspace') return rich('people.in', { place: <NameOf kind="workspace" id={value} /> });
  return <InGroup id={value} />;
}

function InGroup({ id }: { id: string }) {
  const name = useName('group', id);
  if (!name?.workspace) return rich('people.in', { place: name?.label ?? id });
  return rich('people.in_group', { group: name.label, workspace: <NameOf kind="workspace" id={name.workspace} /> });
}

function NameOf({ kind, id }: { kind: NamedKind; id: string }) {
  return <>{useName(kind, id)?.label ?? id}</>;
}
