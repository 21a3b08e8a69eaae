import { useEffect, useState } from 'preact/hooks';
import type { Delivery } from '@user-administration/client';
import { t } from '../language/language.ts';
import { service } from '../service.ts';
import { usePages } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { isFailing, STATES } from './failing.ts';
import { replayed } from './replay.ts';
import { ReplayAll } from './replay-all.tsx';

const AT_ONCE = 25;

/** What was sent to a webhook, newest first. A delivery that is sent again is followed until it is known how that ended. */
export function Deliveries({ webhook }: { webhook: string }) {
  const [state, setState] = useState<Delivery['state']>();
  const { items, error, isLoading, isSlow, hasMore, more, reload } = usePages(
    (signal) => service.webhooks.deliveries(webhook, { state, limit: AT_ONCE }, { signal }),
    [webhook, state],
  );
  const [newer, setNewer] = useState<ReadonlyMap<string, Delivery>>(new Map());
  const [leaving] = useState(() => new AbortController());
  useEffect(() => () => leaving.abort(), []);
  const learn = (delivery: Delivery) => setNewer((known) => new Map(known).set(delivery.id, delivery));
  const replay = (delivery: Delivery, key: { idempotencyKey?: string } = {}) =>
    replayed(webhook, delivery, { learn, signal: leaving.signal, ...key });
  const shown = items?.map((delivery) => newer.get(delivery.id) ?? delivery);
  const failing = shown?.filter(isFailing) ?? [];
  return (
    <section aria-labelledby="deliveries">
      <div class="row">
        <h2 id="deliveries">{t('delivery.title')}</h2>
        <select
          aria-label={t('delivery.state')}
          value={state ?? ''}
          onChange={({ currentTarget }) => setState((currentTarget.value || undefined) as typeof state)}
        >
          <option value="">{t('delivery.all')}</option>
          {Object.entries(STATES).map(([each, word]) => (
            <option key={each} value={each}>
              {t(word)}
            </option>
          ))}
        </select>
        <button type="button" onClick={() => (setNewer(new Map()), reload())}>
          {t('delivery.refresh')}
        </button>
        {failing.length > 1 && <ReplayAll failing={failing} replay={replay} />}
      </div>
      <ErrorNotice error={error} retry={shown?.length ? undefined : reload} />
      {!shown && isLoading && <Skeleton isSlow={isSlow} />}
      {shown?.length === 0 && <p class="empty">{t('delivery.none')}</p>}
      <ul class="plain-list">
        {shown?.map((delivery) => (
          <li key={delivery.id} class="card delivery">
            <DeliveryRow webhook={webhook} delivery={delivery} replay={(key) => replay(delivery, key)} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <button type="button" onClick={more}>
          {t('action.more')}
        </button>
      )}
    </section>
  );
}
