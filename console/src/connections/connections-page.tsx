import { t } from '../language/language.ts';

export function ConnectionsPage() {
  return <h1>{t('page.connections')}</h1>;
}
