import { keptInBrowser } from './storage.ts';
import { Store } from './ui/store.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const CHOSEN = 'theme';
const asTheme = (text: string | undefined): Theme => THEMES.find((each) => each === text) ?? 'system';

/** The colours that were chosen: those of the device, or one of the two. */
export const theme = new Store<Theme>(asTheme(keptInBrowser.get(CHOSEN)));

/** The style names both colours of everything, so this is all that it takes. */
export function showTheme(): void {
  document.documentElement.dataset.theme = theme.get();
}

export function chooseTheme(text: string): void {
  theme.set(asTheme(text));
  keptInBrowser.set(CHOSEN, theme.get());
  showTheme();
}
