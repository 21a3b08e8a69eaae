import { t } from '../language/language.ts';

export function PermissionsPage() {
  return <h1>{t('page.permissions')}</h1>;
}
