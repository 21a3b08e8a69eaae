import { t } from '../language/language.ts';

export function WorkspacesPage() {
  return <h1>{t('page.workspaces')}</h1>;
}
