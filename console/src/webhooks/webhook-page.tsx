import '../connections/connections.css';
import './webhooks.css';
import { useState } from 'preact/hooks';
import type { Webhook } from '@user-administration/client';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { Time } from '../language/time.tsx';
import { KINDS } from '../history/kinds.ts';
import { goTo, href } from '../routing/address.ts';
import { service } from '../service.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Form, Outdated } from '../ui/form.tsx';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { isOutdated, useSubmission } from '../ui/submit.ts';
import { say } from '../ui/toast.tsx';
import { Deliveries } from './deliveries.tsx';
import { NewSecret } from './new-secret.tsx';
import { ChangeWebhook } from './webhook-form.tsx';
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

type Shown = Webhook & { etag: string };

function Facts({ webhook, reload }: { webhook: Shown; reload: () => void }) {
  const { id, url, events, contentType, enabled, createdAt, etag } = webhook;
  const [doing, setDoing] = useState<'change' | 'rotate' | 'delete' | { secret: string }>();
  const close = () => setDoing(undefined);
  const turn = useSubmission(
    () => service.webhooks.update(id, { enabled: !enabled }, { ifMatch: etag }),
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
        <button type="button" onClick={() => setDoing('change')}>
          {t('action.edit')}
        </button>
        <button type="button" onClick={() => void turn.run()}>
          {t(enabled ? 'webhook.disable' : 'webhook.enable')}
        </button>
        <button type="button" onClick={() => setDoing('rotate')}>
          {t('webhook.rotate')}
        </button>
        <button type="button" class="danger end" onClick={() => setDoing('delete')}>
          {t('action.delete')}
        </button>
      </div>
      {doing === 'change' && <ChangeWebhook key={etag} webhook={webhook} onClose={close} onOutdated={reload} />}
      {doing === 'rotate' && (
        <RotateSecret key={etag} webhook={webhook} onClose={close} onOutdated={reload} onDone={setDoing} />
      )}
      {doing === 'delete' && <DeleteWebhook key={etag} webhook={webhook} onClose={close} onOutdated={reload} />}
      {typeof doing === 'object' && <NewSecret secret={doing.secret} onClose={close} />}
    </section>
  );
}

interface Asked {
  webhook: Shown;
  onClose: () => void;
  onOutdated: () => void;
}

function RotateSecret({ webhook, onDone, ...asked }: Asked & { onDone: (renewed: { secret: string }) => void }) {
  const submission = useSubmission(
    (key) => service.webhooks.rotateSecret(webhook.id, { ...key, ifMatch: webhook.etag }),
    onDone,
  );
  return (
    <Dialog title={t('webhook.rotate')} onClose={asked.onClose}>
      <Form submission={submission} fields={[]} action={t('webhook.rotate')} {...asked}>
        <p>{t('webhook.rotate_about')}</p>
      </Form>
    </Dialog>
  );
}

function DeleteWebhook({ webhook: { id, url, etag }, ...asked }: Asked) {
  const submission = useSubmission(
    () => service.webhooks.delete(id, { ifMatch: etag }),
    () => (goTo(href(['webhooks'])), say(t('form.deleted', { name: url }))),
  );
  return (
    <Dialog title={t('webhook.delete')} onClose={asked.onClose}>
      <Form submission={submission} fields={[]} action={t('action.delete')} isDanger {...asked}>
        <p>{rich('webhook.delete_about', { url })}</p>
      </Form>
    </Dialog>
  );
}
