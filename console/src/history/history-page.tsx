import { t } from '../language/language.ts';

export function HistoryPage() {
  return <h1>{t('page.history')}</h1>;
}
