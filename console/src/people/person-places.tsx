import { propose } from '../changes/change.ts';
import { t } from '../language/language.ts';
import { Day } from '../language/time.tsx';
import { service } from '../service.ts';
import { AdministratorsOnly } from '../session/administrators-only.tsx';
import { useLoaded, usePages } from '../ui/load.ts';
import { Menu } from '../ui/menu.tsx';
import { Named } from '../records/named.tsx';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { Ending } from './ending.tsx';

/** The workspaces of a person, each with the person's groups in it, since when and until when. */
export function PersonPlaces({ id }: { id: string }) {
  const list = usePages((signal) => service.users.memberships(id, { signal }), [id]);
  const { value: since } = useLoaded((signal) => workspacesSince(id, signal), [id]);
  const remove = (workspace: string, group?: string) =>
    propose({ kind: 'remove', userIds: [id], workspaces: [workspace], groups: group === undefined ? group : [group] });
  return (
    <section class="card">
      <h2>{t('card.places')}</h2>
      <ErrorNotice error={list.error} retry={list.reload} />
      {!list.items && list.isLoading && <Skeleton rows={3} isSlow={list.isSlow} />}
      {list.items?.length === 0 && (
        <p class="empty">
          {t('card.places_none')}{' '}
          <AdministratorsOnly>
            <button type="button" onClick={() => propose({ kind: 'add', userIds: [id] })}>
              {t('action.add_to')}
            </button>
          </AdministratorsOnly>
        </p>
      )}
      {!!list.items?.length && (
        <table class="stays">
          <thead>
            <tr>
              {(['card.workspace', 'card.groups', 'card.since', 'card.until', 'card.actions'] as const).map((head) => (
                <th key={head} scope="col">
                  <span class={head === 'card.actions' ? 'visually-hidden' : undefined}>{t(head)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody class="memberships">
            {list.items.map(({ workspace, groups }, index) => (
              // A workspace with very many groups goes on on the next page.
              <tr key={index}>
                <th scope="row">
                  <Named kind="workspace" id={workspace.id} />
                </th>
                <td>
                  {groups.map((group) => (
                    <div key={group.id}>
                      <Named kind="group" id={group.id} />{' '}
                      <Ending
                        user={id}
                        place={{ kind: 'group', id: group.id, workspace: workspace.id }}
                        at={group.until}
                      />
                    </div>
                  ))}
                </td>
                <td class="quiet">{since?.has(workspace.id) && <Day at={since.get(workspace.id) ?? ''} />}</td>
                <td>
                  <Ending user={id} place={{ kind: 'workspace', id: workspace.id }} at={workspace.until} />
                </td>
                <td class="acts">
                  <AdministratorsOnly>
                    <Menu
                      isSmall
                      label={<span class="visually-hidden">{t('card.actions_of', { name: workspace.name })}</span>}
                    >
                      {[undefined, ...groups].map((group) => (
                        <button
                          key={group?.id}
                          type="button"
                          class="plain"
                          onClick={() => remove(workspace.id, group?.id)}
                        >
                          {t('action.take_out_of', { place: (group ?? workspace).name })}
                        </button>
                      ))}
                    </Menu>
                  </AdministratorsOnly>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {list.hasMore && (
        <button type="button" onClick={list.more}>
          {t('action.more')}
        </button>
      )}
    </section>
  );
}

/** Since when somebody is in each workspace, by its id, as far as the service knows. */
async function workspacesSince(user: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  for await (const { source, since } of service.access({ id: [user] }, { signal }))
    if (source?.kind === 'workspace' && since) known.set(source.id, since);
  return known;
}
