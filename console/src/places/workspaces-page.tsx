import type { Group, Workspace } from '@user-administration/client';
import { useEffect } from 'preact/hooks';
import { Found, isEmpty, NextStep, useFirst } from '../finding/found.tsx';
import { SearchBox } from '../finding/search-box.tsx';
import { useTyped } from '../finding/typed.ts';
import { t } from '../language/language.ts';
import { learnNames } from '../names.ts';
import { useFresh } from '../fresh.ts';
import { goTo, href, replaceAddress, useAddress } from '../routing/address.ts';
import { service } from '../service.ts';
import { AdministratorsOnly } from '../session/administrators-only.tsx';
import { useLoaded, usePages } from '../ui/load.ts';
import { CreateWorkspaceButton } from './create-place.tsx';
import { PeopleCount } from './people-count.tsx';

const WORDS = { found: 'workspaces.found', foundMore: 'workspaces.found_more', none: 'workspaces.none' } as const;
/** Each row asks for its groups. */
const ROWS = 25;
const GROUPS = 8;

/** Finding workspaces, with their groups. */
export function WorkspacesPage() {
  const search = useAddress().query.get('search') ?? '';
  const typed = useTyped(search, (search) => replaceAddress(href(['workspaces'], { search })));
  const found = usePages(
    (signal) => service.workspaces.list({ search: search || undefined, limit: ROWS, total: true }, { signal }),
    [search],
  );
  const openFirst = useFirst(found, search, ({ id }) => goTo(href(['workspaces', id])));
  useEffect(() => learnNames('workspace', found.items ?? []), [found.items]);
  const create = (
    <AdministratorsOnly>
      <CreateWorkspaceButton />
    </AdministratorsOnly>
  );
  return (
    <>
      <div class="page-head">
        <h1>{t('page.workspaces')}</h1>
        {!isEmpty(found, search) && create}
      </div>
      <SearchBox label={t('workspaces.search')} hint={t('workspaces.search_hint')} typed={typed} onFirst={openFirst} />
      <Found
        found={found}
        words={WORDS}
        table={(workspaces) => <WorkspaceTable workspaces={workspaces} />}
        empty={<NextStep page="workspaces" search={search} children={create} />}
      />
      {search !== '' && <GroupsFound search={search} />}
    </>
  );
}

function WorkspaceTable({ workspaces }: { workspaces: readonly Workspace[] }) {
  const freshOf = useFresh('workspace');
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('workspaces.workspace')}</th>
          <th scope="col">{t('page.people')}</th>
          <th scope="col">{t('workspaces.groups')}</th>
        </tr>
      </thead>
      <tbody>
        {workspaces.map(({ id, name }) => (
          <tr key={id} class={freshOf(id)}>
            <th scope="row">
              <a href={href(['workspaces', id])}>
                <bdi>{name}</bdi>
              </a>
              <small>
                <bdi>{id}</bdi>
              </small>
            </th>
            <td>
              <PeopleCount of={{ workspace: id }} />
            </td>
            <td>
              <GroupsOf workspace={id} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function GroupsOf({ workspace }: { workspace: string }) {
  const { value } = useLoaded((signal) => firstGroups({ workspace }, signal), [workspace]);
  if (!value) return null;
  return (
    <ul class="places">
      {value.groups.map(({ id, name }) => (
        <li key={id}>
          <a href={href(['groups', id])} title={id}>
            <bdi>{name}</bdi>
          </a>
        </li>
      ))}
      {value.hasMore && (
        <li>
          <a href={href(['workspaces', workspace])}>{t('workspaces.other_groups')}</a>
        </li>
      )}
    </ul>
  );
}

/** Groups whose own name or id matches. */
function GroupsFound({ search }: { search: string }) {
  const { value, isCurrent } = useLoaded((signal) => firstGroups({ search }, signal), [search]);
  if (!value || !isCurrent || value.groups.length === 0) return null;
  return (
    <section class="card">
      <h2>{t('workspaces.groups_found')}</h2>
      <ul class="places">
        {value.groups.map(({ id, name }) => (
          <li key={id}>
            <a href={href(['groups', id])} title={id}>
              <bdi>{name}</bdi>
            </a>{' '}
            <small>
              <bdi>{id}</bdi>
            </small>
          </li>
        ))}
        {value.hasMore && <li class="quiet">…</li>}
      </ul>
    </section>
  );
}

async function firstGroups(
  filter: { workspace: string } | { search: string },
  signal: AbortSignal,
): Promise<{ groups: Group[]; hasMore: boolean }> {
  const { value } = await service.groups
    .list({ ...filter, limit: GROUPS }, { signal })
    .pages()
    .next();
  return { groups: value?.items ?? [], hasMore: typeof value?.next === 'string' };
}
