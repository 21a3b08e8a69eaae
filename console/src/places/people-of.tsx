import type { User } from '@user-administration/client';
import { useEffect } from 'preact/hooks';
import { propose } from '../changes/change.ts';
import { t } from '../language/language.ts';
import { Ends } from '../language/time.tsx';
import { learnNames, nameOf } from '../names.ts';
import { useEnds } from '../people/ends-of.ts';
import { SaveAccess } from '../people/save-access.tsx';
import { TypeWord } from '../records/grants.tsx';
import { firstPage } from '../records/operations.ts';
import { href } from '../routing/address.ts';
import { service } from '../service.ts';
import { useMayChange } from '../session/administrators-only.tsx';
import { useLoaded } from '../ui/load.ts';
import { Named } from '../records/named.tsx';
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
  /** When the account or the membership ends, whichever is earlier. */
  const endOf = ({ id, activeUntil }: User) =>
    [
      activeUntil,
      ...endsOf(id).flatMap(({ kind, id, until }) => (kind in of && id === Object.values(of)[0] ? until : [])),
    ]
      .filter((end) => end !== null)
      .sort()[0];
  return (
    <section class="card">
      <div class="row tight">
        <h2>{t('permission' in of ? 'card.holders' : 'card.people')}</h2> <PeopleCount of={of} />
      </div>
      <ErrorNotice error={error} retry={reload} />
      {!value && error === undefined && <Skeleton isSlow={isSlow} />}
      {value?.length === 0 && <p class="hint">{t('card.people_none')}</p>}
      <ul class="rows">
        {value?.map((user) => (
          <li key={user.id} class="line">
            <span>
              <Named kind="user" id={user.id} /> <TypeWord type={user.type} />{' '}
              {user.status === 'inactive' && <span class="word inactive">{t('status.inactive')}</span>}{' '}
              <Ends at={endOf(user)} />
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
      <a href={href(['people'], { ...of })}>{t('card.people_all')}</a>
      <details class="menu">
        <summary>{t('people.save')}</summary>
        <div>
          <SaveAccess of={of} />
        </div>
      </details>
    </section>
  );
}
