import type { Stored, Webhook } from '@user-administration/client';
import { t } from '../language/language.ts';
import { Time } from '../language/time.tsx';
import { KINDS } from '../history/kinds.ts';
import { goTo, href } from '../routing/address.ts';
import { service } from '../service.ts';
import { useChange } from '../make-once.ts';
import { isOutdated } from '../service-errors.ts';
import { useSetup } from '../setups/use-setup.tsx';
import { Outdated } from '../ui/form-dialog.tsx';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';
import { Deliveries } from './deliveries.tsx';
import { WEBHOOK } from './webhook-setup.ts';
import { WebhookState } from './webhook-state.tsx';

/** One receiver, and what was sent to it. */
export function WebhookPage({ id }: { id: string }) {
  const { value, error, isSlow, reload } = useLoaded((signal) => service.webhooks.get(id, { signal }), [id]);
  return (
    <>
      <p>
        <a href={href(['webhooks'])}>{t('webhook.all')}</a>
      </p>
      <ErrorNotice error={error} retry={reload} />
      {value ? (
        <>
          <Facts webhook={value} reload={reload} />
          <Deliveries webhook={id} />
        </>
      ) : (
        error === undefined && <Skeleton isSlow={isSlow} />
      )}
    </>
  );
}

function Facts({ webhook, reload }: { webhook: Stored<Webhook>; reload: () => void }) {
  const { id, url, events, contentType, enabled, createdAt, etag } = webhook;
  const { begin, dialogs } = useSetup(WEBHOOK, () => goTo(href(['webhooks'])));
  const turn = useChange(
    (isOn: boolean, requestId) => service.webhooks.update(id, { enabled: isOn }, { ifMatch: etag, requestId }),
    () => say(t(enabled ? 'webhook.now_disabled' : 'webhook.now_enabled')),
  );
  return (
    <section class="card">
      <div class="row">
        <h1>
          <bdi dir="ltr">{url}</bdi>
        </h1>
        <WebhookState webhook={webhook} />
      </div>
      <dl class="facts">
        <dt>{t('webhook.events')}</dt>
        <dd>
          <details>
            <summary>{t('webhook.kinds', { count: events.length })}</summary>
            <ul>
              {events.map((event) => (
                <li key={event}>{t(KINDS[event])}</li>
              ))}
            </ul>
          </details>
        </dd>
        <dt>{t('webhook.content_type')}</dt>
        <dd>
          <code>{contentType}</code>
        </dd>
        <dt>{t('connection.created')}</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </dl>
      {isOutdated(turn.error) ? (
        <Outdated reload={() => (turn.forget(), reload())} />
      ) : (
        <ErrorNotice error={turn.error} />
      )}
      <div class="row actions">
        <button type="button" onClick={() => begin('change', id)}>
          {t('action.edit')}
        </button>
        <button type="button" onClick={() => turn.run(!enabled)}>
          {t(enabled ? 'webhook.disable' : 'webhook.enable')}
        </button>
        <button type="button" onClick={() => begin('rotate', id)}>
          {t('webhook.rotate')}
        </button>
        <button type="button" class="danger end" onClick={() => begin('delete', id)}>
          {t('action.delete')}
        </button>
      </div>
      {dialogs}
    </section>
  );
}
