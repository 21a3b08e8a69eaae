import { Actor } from '../history/subjects.tsx';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { Day } from '../language/time.tsx';
import { firstPage } from '../records/operations.ts';
import { service } from '../service.ts';
import { useLoaded } from '../ui/load.ts';

/** Since when, by whom and why somebody is suspended. The journal may not reach so far back. */
export function SuspendedSince({ id }: { id: string }) {
  const { value } = useLoaded(
    (signal) => firstPage(service.journal.list({ user: id, action: 'user.status.changed', limit: 1 }, { signal })),
    [id],
  );
  const entry = value?.find(({ after }) => after?.status === 'inactive');
  if (!entry) return null;
  return (
    <p class="notice">
      {rich('card.suspended', { since: <Day at={entry.at} />, actor: <Actor actor={entry.actor} /> })}
      {entry.reason && (
        <>
          {': '}
          <q>
            <bdi>{entry.reason}</bdi>
          </q>
        </>
      )}
      {entry.erased && ` ${t('history.erased')}`}
    </p>
  );
}
