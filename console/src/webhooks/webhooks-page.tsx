import { t } from '../language/language.ts';

export function WebhooksPage() {
  return <h1>{t('page.webhooks')}</h1>;
}
