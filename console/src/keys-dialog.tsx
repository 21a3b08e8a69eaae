import { useEffect, useState } from 'preact/hooks';
import { type MessageKey, t } from './language/language.ts';
import { useMayChange } from './session/administrators-only.tsx';
import { Dialog } from './ui/dialog.tsx';

/** With those that only serve who changes something. */
const KEYS: readonly (readonly [string, MessageKey, 'acts'?])[] = [
  ['/', 'keys.search'],
  ['↑ ↓', 'keys.rows'],
  ['Enter', 'keys.open'],
  ['Shift + click', 'keys.range', 'acts'],
  ['Ctrl + Enter', 'keys.send', 'acts'],
  ['Esc', 'keys.close'],
  ['?', 'keys.this'],
];

/** `?` shows what the keys do. */
export function KeysDialog() {
  const [isOpen, setOpen] = useState(false);
  const mayChange = useMayChange();
  useEffect(() => {
    const press = ({ key, target, ctrlKey, altKey, metaKey }: KeyboardEvent) => {
      if (key !== '?' || ctrlKey || altKey || metaKey || document.querySelector('dialog[open]')) return;
      if (target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select')) return;
      setOpen(true);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  if (!isOpen) return null;
  return (
    <Dialog title={t('keys.title')} onClose={() => setOpen(false)}>
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
