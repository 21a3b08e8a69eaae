import { t } from '../language/language.ts';
import { Store } from './store.ts';

export interface Toast {
  text: string;
  action?: { label: string; run: () => void };
}

const toast = new Store<Toast | undefined>(undefined);

/** Says what has happened, at the edge of the page and to screen readers. The newest takes the place of the one before, and stays until it is closed. */
export function say(text: string, action?: Toast['action']): void {
  toast.set({ text, action });
}

export function ToastArea() {
  const shown = toast.use();
  const close = () => toast.set(undefined);
  return (
    <div class="toast-area" role="status" aria-live="polite">
      {shown && (
        <div class="toast">
          <span>{shown.text}</span>
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
