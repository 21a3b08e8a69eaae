import { propose } from '../changes/change.ts';
import { t } from '../language/language.ts';
import type { Place as PlaceOf } from '../places/place-label.tsx';
import { service } from '../service.ts';
import { AdministratorsOnly } from '../session/administrators-only.tsx';
import { usePages } from '../ui/load.ts';
import { Named } from '../records/named.tsx';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { Ending } from './ending.tsx';

/** The workspaces of a person, each with the person's groups in it. */
export function PersonPlaces({ id }: { id: string }) {
  const list = usePages((signal) => service.users.memberships(id, { signal }), [id]);
  return (
    <section class="card">
      <h2>{t('card.places')}</h2>
      <ErrorNotice error={list.error} retry={list.reload} />
      {!list.items && list.isLoading && <Skeleton rows={3} isSlow={list.isSlow} />}
      {list.items?.length === 0 && <p class="hint">{t('card.places_none')}</p>}
      <ul class="rows memberships">
        {list.items?.map(({ workspace, groups }, index) => (
          // A workspace with very many groups goes on on the next page.
          <li key={index}>
            <Place user={id} kind="workspace" {...workspace} onRemove={() => remove(id, [workspace.id])} />
            <ul class="rows">
              {groups.map((group) => (
                <li key={group.id}>
                  <Place
                    user={id}
                    kind="group"
                    {...group}
                    workspace={workspace.id}
                    onRemove={() => remove(id, [workspace.id], [group.id])}
                  />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <button type="button" onClick={list.more}>
          {t('action.more')}
        </button>
      )}
    </section>
  );
}

function remove(user: string, workspaces: string[], groups?: string[]): void {
  propose({ kind: 'remove', userIds: [user], workspaces, groups });
}

function Place({
  user,
  name,
  until,
  onRemove,
  ...place
}: PlaceOf & { user: string; name: string; until?: string; onRemove: () => void }) {
  return (
    <div class="line">
      <span>
        <Named {...place} /> <Ending {...{ user, place }} at={until} />
      </span>
      <AdministratorsOnly>
        <button type="button" class="plain" aria-label={t('action.take_out_of', { place: name })} onClick={onRemove}>
          {t('action.take_out')}
        </button>
      </AdministratorsOnly>
    </div>
  );
}
