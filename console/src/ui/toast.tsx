import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../language/language.ts';
import { Store } from './store.ts';

export interface Toast {
  text: string;
  action?: { label: string; run: () => void };
  /** Whom it speaks of. */
  who?: ComponentChildren;
}

/** How long it stays: long enough to read it, and to take something back. */
const SHORT_MS = 6_000;
const LONG_MS = 20_000;
/** What is said about leaving a page is said on the next one. */
const FRESH_MS = 1_500;

const toast = new Store<(Toast & { since: number }) | undefined>(undefined);

/** Says what has happened, at the edge of the page and to screen readers. The newest takes the place of the one before. */
export function say(text: string, action?: Toast['action'], who?: Toast['who']): void {
  toast.set({ text, action, who, since: performance.now() });
}

export function hush(): void {
  toast.set(undefined);
}

/** What was said leaves by itself, unless somebody points at it, and with the page that it was said on. */
export function ToastArea() {
  const shown = toast.use();
  const area = useRef<HTMLDivElement>(null);
  const close = () => {
    const hadFocus = area.current?.contains(document.activeElement);
    hush();
    if (hadFocus) document.querySelector('main')?.focus({ preventScroll: true });
  };
  useEffect(() => {
    if (!shown) return;
    let timer: ReturnType<typeof setTimeout>;
    const leave = () => {
      const isHeld = area.current?.matches(':hover, :focus-within') ?? false;
      if (isHeld) timer = setTimeout(leave, 1_000);
      else hush();
    };
    timer = setTimeout(leave, shown.action ? LONG_MS : SHORT_MS);
    const leavePage = () => performance.now() - shown.since > FRESH_MS && hush();
    addEventListener('hashchange', leavePage);
    return () => {
      clearTimeout(timer);
      removeEventListener('hashchange', leavePage);
    };
  }, [shown]);
  useEffect(() => hush, []);
  return (
    <div class="toast-area" role="status" aria-live="polite" ref={area}>
      {shown && (
        <div class="toast">
          <span>{shown.text}</span>
          {shown.who && <small>{shown.who}</small>}
          {shown.action && (
            <button type="button" onClick={() => (close(), shown.action?.run())}>
              {shown.action.label}
            </button>
          )}
          <button type="button" class="plain" onClick={close} aria-label={t('action.close')}>
            <span aria-hidden="true">✕</span>
          </button>
        </div>
      )}
    </div>
  );
}
