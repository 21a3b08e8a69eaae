import { useEffect, useState } from 'preact/hooks';
import type { Webhook, WebhookWithSecret } from '@user-administration/client';
import { t } from '../language/language.ts';
import { href } from '../routing/address.ts';
import { service } from '../service.ts';
import { CreateSetup } from '../setups/setup-forms.tsx';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { type Failing, findFailing } from './failing.ts';
import { NewSecret } from './new-secret.tsx';
import { WEBHOOK } from './webhook-setup.ts';
import { WebhookState } from './webhook-state.tsx';

/** The receivers of what happens. */
export function WebhooksPage() {
  const { value, error, isLoading, isSlow, reload } = useLoaded((signal) => service.webhooks.list({ signal }), []);
  const failing = useFailing(value);
  const [made, setMade] = useState<'form' | WebhookWithSecret>();
  const close = () => setMade(undefined);
  const create = (
    <button type="button" class="primary" onClick={() => setMade('form')}>
      {t('webhook.new')}
    </button>
  );
  return (
    <>
      <div class="row">
        <h1>{t('page.webhooks')}</h1>
        {value?.length !== 0 && <span class="end">{create}</span>}
      </div>
      <p class="hint">{t('webhook.about')}</p>
      <ErrorNotice error={error} retry={reload} />
      {!value && isLoading && <Skeleton isSlow={isSlow} />}
      {value?.length === 0 && (
        <p class="empty">
          {t('webhook.none')} {create}
        </p>
      )}
      <ul class="plain-list">
        {value?.map((webhook) => (
          <li key={webhook.id} class="card webhook">
            <a href={href(['webhooks', webhook.id])}>
              <bdi dir="ltr">{webhook.url}</bdi>
            </a>
            <div class="row tight">
              <WebhookState webhook={webhook} />
              <small>{t('webhook.kinds', { count: webhook.events.length })}</small>
              <FailingWord failing={failing.get(webhook.id)} />
            </div>
          </li>
        ))}
      </ul>
      {made === 'form' && <CreateSetup kind={WEBHOOK} onClose={close} onDone={setMade} />}
      {made && made !== 'form' && <NewSecret secret={made.secret} isNew onClose={close} />}
    </>
  );
}

function FailingWord({ failing }: { failing: Failing | undefined }) {
  if (!failing || failing.count === 0) return null;
  const { count, orMore } = failing;
  return <span class="word inactive">{t(orMore ? 'webhook.failing_or_more' : 'webhook.failing', { count })}</span>;
}

/** What fails at each webhook, one after the other: there can be a hundred. */
function useFailing(webhooks: readonly Webhook[] | undefined): ReadonlyMap<string, Failing> {
  const [known, setKnown] = useState<ReadonlyMap<string, Failing>>(new Map());
  useEffect(() => {
    const controller = new AbortController();
    const findAll = async () => {
      for (const { id } of webhooks ?? []) {
        const failing = await findFailing(id, controller.signal);
        if (controller.signal.aborted) return;
        setKnown((known) => new Map(known).set(id, failing));
      }
    };
    // The list is whole without it, and the page of each webhook shows what is wrong.
    findAll().catch(() => undefined);
    return () => controller.abort();
  }, [webhooks]);
  return known;
}
