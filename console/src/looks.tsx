import { t } from './language/language.ts';
import { LanguageMenu } from './language-menu.tsx';
import { chooseTheme, THEMES, theme } from './theme.ts';

/** In which language and in which colours the page is shown. */
export function Looks() {
  const chosen = theme.use();
  return (
    <div class="looks">
      <LanguageMenu />
      <select aria-label={t('theme')} value={chosen} onChange={({ currentTarget }) => chooseTheme(currentTarget.value)}>
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {t(`theme.${each}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
