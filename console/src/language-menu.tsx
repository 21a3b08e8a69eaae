import { language, languages, ownName, t } from './language/language.ts';
import { showIn } from './show-in.ts';

/** The language of the page, each by its own name. */
export function LanguageMenu() {
  return (
    <select
      aria-label={t('language')}
      value={language}
      onChange={({ currentTarget }) => void showIn(currentTarget.value)}
    >
      {languages.map((tag) => (
        <option key={tag} value={tag} lang={tag}>
          {ownName(tag)}
        </option>
      ))}
    </select>
  );
}
