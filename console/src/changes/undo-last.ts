import { useEffect } from 'preact/hooks';
import { entryOfRequest } from '../entry-of-request.ts';
import { actsOf } from '../history/acts.ts';
import { entriesOfAct } from '../history/rest-of-act.ts';
import { t } from '../language/language.ts';
import { sentenceOf } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';
import { undoRequest } from './undo.ts';

/** The last request of this tab that can be undone, and one of the users that it has changed. */
export const lastMade: { id?: string; user?: string } = {};

/** Ctrl+Z outside of fields opens the dialog that undoes the last act of this tab. */
export function useUndoKey(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, altKey, metaKey, shiftKey } = event;
      if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || altKey || shiftKey || lastMade.id === undefined) return;
      if (document.querySelector('dialog[open]')) return;
      if (target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select')) return;
      event.preventDefault();
      void undoLast(lastMade.id, lastMade.user);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

async function undoLast(id: string, user: string | undefined): Promise<void> {
  try {
    const entry = await entryOfRequest(id, user);
    if (!entry) return say(t('undo.not_found'));
    const { value } = await entriesOfAct(entry, AbortSignal.timeout(20_000)).next();
    const [act] = actsOf(value ?? [entry]);
    if (act) undoRequest(act);
  } catch (error) {
    say(t('undo.failed', { why: sentenceOf(error) }));
  }
}
