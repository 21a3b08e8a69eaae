import { useEffect } from 'preact/hooks';
import { focusBox } from './finding/row-keys.ts';
import { type MessageKey, t } from './language/language.ts';
import { goTo, href } from './routing/address.ts';
import { useMayChange } from './session/administrators-only.tsx';
import { Dialog } from './ui/dialog.tsx';
import { Store } from './ui/store.ts';

/** With those that only serve who changes something. */
const KEYS: readonly (readonly [string, MessageKey, 'acts'?])[] = [
  ['/  Ctrl + K', 'keys.search'],
  ['↑ ↓', 'keys.rows'],
  ['Enter', 'keys.open'],
  ['Shift + click', 'keys.range', 'acts'],
  ['Ctrl + Enter', 'keys.send', 'acts'],
  ['Ctrl + Z', 'keys.undo', 'acts'],
  ['Esc', 'keys.close'],
  ['?', 'keys.this'],
];

const isShown = new Store(false);
export const showKeys = (): void => isShown.set(true);

/** `?` shows what the keys do. */
export function KeysDialog() {
  const isOpen = isShown.use();
  const mayChange = useMayChange();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, altKey, metaKey } = event;
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) return find(event);
      if (key !== '?' || ctrlKey || altKey || metaKey || document.querySelector('dialog[open]')) return;
      if (target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select')) return;
      showKeys();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  if (!isOpen) return null;
  return (
    <Dialog title={t('keys.title')} onClose={() => isShown.set(false)}>
      <dl class="facts">
        {KEYS.map(
          ([keys, what, acts]) =>
            (mayChange || !acts) && (
              <>
                <dt key={keys}>
                  <kbd lang="en">{keys}</kbd>
                </dt>
                <dd>{t(what)}</dd>
              </>
            ),
        )}
      </dl>
    </Dialog>
  );
}

/** Goes to the search box, to that of the people where the page has none. */
function find(event: KeyboardEvent): void {
  if (document.querySelector('dialog[open]')) return;
  event.preventDefault();
  if (focusBox()) return;
  goTo(href(['people']));
  // The page is drawn after the address has changed.
  const again = (times: number): unknown => focusBox() || (times > 0 && setTimeout(again, 50, times - 1));
  again(100);
}

/** What had the focus is gone, such as the bar of a selection that has ended: the focus goes to the page, and not to nowhere. */
export function useFocusKept(): void {
  useEffect(() => {
    let last: Element | undefined;
    const note = ({ target }: Event) => (last = target as Element);
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected) return;
      last = undefined;
      // Whoever took it away may have a better place for the focus.
      setTimeout(() => {
        if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true });
      }, 150);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener('focusin', note);
    return () => {
      observer.disconnect();
      removeEventListener('focusin', note);
    };
  }, []);
}
