import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../language/language.ts';

/** A dialog in front of the page. The browser moves the focus in, keeps it, and gives it back; Escape closes it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: ComponentChildren;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOver = useRef(false);
  const id = useId();
  // Passive effects end after the next paint: until then, the focus would be nowhere.
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      isOver.current = true;
      element?.close();
      // The browser gives the focus back only to what it knows of. What opened the dialog can be gone.
      if (before instanceof HTMLElement) (before.isConnected ? before : document.querySelector('main'))?.focus();
    };
  }, []);
  /** At a second Escape the browser closes the dialog without asking. The owner decides, who may have something to say first. */
  const closedByBrowser = () => {
    if (isOver.current) return;
    dialog.current?.showModal();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => (event.preventDefault(), onClose())}
      onClose={closedByBrowser}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="plain" onClick={onClose} aria-label={t('action.close')}>
          <span aria-hidden="true">✕</span>
        </button>
      </header>
      {children}
    </dialog>
  );
}
