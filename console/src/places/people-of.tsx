import { useEffect } from 'preact/hooks';
import { propose } from '../changes/change.ts';
import { t } from '../language/language.ts';
import { learnNames, nameOf } from '../names.ts';
import { Ending } from '../people/ending.tsx';
import { useEnds } from '../people/ends-of.ts';
import { SaveAccess } from '../people/save-access.tsx';
import { TypeWord } from '../records/grants.tsx';
import { firstPage } from '../records/operations.ts';
import { href } from '../routing/address.ts';
import { service } from '../service.ts';
import { useMayChange } from '../session/administrators-only.tsx';
import { useLoaded } from '../ui/load.ts';
import { Named } from '../records/named.tsx';
import { AddPeopleButton } from './add-people.tsx';
import { PeopleCount } from './people-count.tsx';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';

const SHOWN = 10;

/** The first people of a place, or with a permission, and the way to all of them. */
export function PeopleOf({
  of,
  place,
}: {
  of: { workspace: string } | { group: string } | { permission: string };
  /** Where people can be taken out. */
  place?: { name: string; workspaces: string[]; groups?: string[] };
}) {
  const mayChange = useMayChange();
  const { value, error, isSlow, reload } = useLoaded(
    (signal) => firstPage(service.users.list({ ...of, limit: SHOWN }, { signal })),
    [JSON.stringify(of)],
  );
  useEffect(() => learnNames('user', value ?? []), [value]);
  const endsOf = useEnds(value);
  /** What ends first: the account, or the membership here. */
  const endOf = (user: string) =>
    endsOf(user).find(({ place }) => !place || (place.kind in of && place.id === Object.values(of)[0]));
  return (
    <section class="card">
      <div class="row tight">
        <h2>{t('permission' in of ? 'card.holders' : 'card.people')}</h2> <PeopleCount of={of} />
      </div>
      <ErrorNotice error={error} retry={reload} />
      {!value && error === undefined && <Skeleton isSlow={isSlow} />}
      {value?.length === 0 && (
        <p class="empty">
          {t('card.people_none')} {place && mayChange && <AddPeopleButton {...place} isSecond />}
        </p>
      )}
      <ul class="rows">
        {value?.map((user) => (
          <li key={user.id} class="line">
            <span>
              <Named kind="user" id={user.id} /> <TypeWord type={user.type} />{' '}
              {user.status === 'inactive' && <span class="word inactive">{t('status.inactive')}</span>}{' '}
              {[endOf(user.id)].map((end) => end && <Ending user={user.id} place={end.place} at={end.until} />)}
            </span>
            {place && mayChange && (
              <button
                type="button"
                class="plain"
                aria-label={t('action.take_out_person', { name: nameOf(user) })}
                onClick={() =>
                  propose({ kind: 'remove', userIds: [user.id], workspaces: place.workspaces, groups: place.groups })
                }
              >
                {t('action.take_out')}
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="row tight">
        <a href={href(['people'], { ...of })}>{t('card.people_all')}</a>
        <details class="menu">
          <summary>{t('people.save')}</summary>
          <div>
            <SaveAccess of={of} />
          </div>
        </details>
      </div>
    </section>
  );
}
