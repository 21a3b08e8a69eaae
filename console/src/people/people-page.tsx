import { t } from '../language/language.ts';

export function PeoplePage() {
  return <h1>{t('page.people')}</h1>;
}
