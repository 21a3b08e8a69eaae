import { useEffect, useState } from 'preact/hooks';
import type { Webhook } from '@user-administration/client';
import { t } from '../language/language.ts';
import { href } from '../routing/address.ts';
import { service } from '../service.ts';
import { SetupList } from '../setups/setup-list.tsx';
import { useSetup } from '../setups/use-setup.tsx';
import { useLoaded } from '../ui/load.ts';
import { type Failing, findFailing } from './failing.ts';
import { WEBHOOK } from './webhook-setup.ts';
import { WebhookState } from './webhook-state.tsx';

/** The receivers of what happens. */
export function WebhooksPage() {
  const { value, ...loaded } = useLoaded((signal) => service.webhooks.list({ signal }), []);
  const failing = useFailing(value);
  return (
    <SetupList kind={WEBHOOK} title="page.webhooks" list={{ ...loaded, items: value }} setup={useSetup(WEBHOOK)}>
      {(webhook) => (
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
      )}
    </SetupList>
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
