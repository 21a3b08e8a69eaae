import { useState } from 'preact/hooks';
import type { Delivery } from '@user-administration/client';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { Time } from '../language/time.tsx';
import { KINDS } from '../history/kinds.ts';
import { service } from '../service.ts';
import { isServiceError } from '../service-errors.ts';
import { useLoaded } from '../ui/load.ts';
import { Named } from '../records/named.tsx';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';
import { isFailing, STATES } from './failing.ts';

/** One delivery: what it is about, how it stands and why, its body on demand, and sending it again. */
export function DeliveryRow({
  webhook,
  delivery,
  replay,
}: {
  webhook: string;
  delivery: Delivery;
  replay: (key: { idempotencyKey?: string }) => Promise<Delivery>;
}) {
  const { id, event, user, state, createdAt } = delivery;
  const [isOpen, setIsOpen] = useState(false);
  const [sending, setSending] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const send = async () => {
    if (sending.isBusy) return;
    const { error } = sending;
    const idempotencyKey = isServiceError(error) ? error.idempotencyKey : undefined;
    setSending({ isBusy: true });
    try {
      const ended = await replay({ idempotencyKey });
      setSending({ isBusy: false });
      say(
        t(
          ended.state === 'delivered'
            ? 'delivery.arrived'
            : isFailing(ended)
              ? 'delivery.failed_again'
              : 'delivery.under_way',
        ),
      );
    } catch (error) {
      setSending({ isBusy: false, error });
    }
  };
  const title = `delivery-${id}`;
  return (
    <>
      <div class="row">
        <span id={title}>
          {user === null
            ? t(KINDS[event])
            : rich('delivery.about', { event: t(KINDS[event]), user: <Named kind="user" id={user} /> })}
        </span>
        <span class={`word ${isFailing(delivery) ? 'inactive' : ''}`}>{t(STATES[state])}</span>
        <small class="end">
          <Time at={createdAt} />
        </small>
      </div>
      <Attempts delivery={delivery} />
      <ErrorNotice error={sending.error} />
      <div class="row actions">
        <button type="button" aria-describedby={title} aria-busy={sending.isBusy} onClick={() => void send()}>
          {t(sending.isBusy ? 'delivery.sending' : 'delivery.replay')}
        </button>
        <button
          type="button"
          aria-describedby={title}
          aria-expanded={isOpen}
          onClick={() => setIsOpen((isOpen) => !isOpen)}
        >
          {t('delivery.body')}
        </button>
      </div>
      {isOpen && <Body webhook={webhook} id={id} />}
    </>
  );
}

/** What came of it so far. */
function Attempts({ delivery: { state, attempts, lastStatus, lastError, nextAttemptAt } }: { delivery: Delivery }) {
  return (
    <p class="row tight">
      {lastStatus !== null ? (
        <span>{t('delivery.answered', { status: lastStatus })}</span>
      ) : (
        lastError !== null && <span>{rich('delivery.no_answer', { error: <code lang="en">{lastError}</code> })}</span>
      )}
      {attempts > 0 && <small>{t('delivery.attempts', { count: attempts })}</small>}
      {state === 'pending' && attempts > 0 && nextAttemptAt && (
        <small>{rich('delivery.next', { time: <Time at={nextAttemptAt} /> })}</small>
      )}
    </p>
  );
}

function Body({ webhook, id }: { webhook: string; id: string }) {
  const { value, error, isSlow, reload } = useLoaded(
    (signal) => service.webhooks.delivery(webhook, id, { signal }),
    [id],
  );
  if (value)
    return (
      <pre dir="ltr" tabIndex={0}>
        {JSON.stringify(value.body, null, 2)}
      </pre>
    );
  return error === undefined ? <Skeleton rows={3} isSlow={isSlow} /> : <ErrorNotice error={error} retry={reload} />;
}
