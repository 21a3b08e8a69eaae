import type { Webhook } from '@user-administration/client';
import { t } from '../language/language.ts';

/** Whether it receives anything, and why not. */
export function WebhookState({ webhook: { enabled, disabledReason } }: { webhook: Webhook }) {
  if (enabled) return <span class="word active">{t('webhook.enabled')}</span>;
  return (
    <span class="word inactive">{t(disabledReason === 'gone' ? 'webhook.disabled.gone' : 'webhook.disabled')}</span>
  );
}
