import { useEffect } from 'preact/hooks';
import { goTo, href } from '../routing/address.ts';
import { Store } from '../ui/store.ts';

/** What was dropped last. */
export const droppedFiles = new Store<readonly File[] | undefined>(undefined);

/** A file that somebody drops anywhere is imported, where the browser would have left the page to show it. */
export function useDroppedFiles(mayChange: boolean): void {
  useEffect(() => {
    const over = (event: DragEvent) => event.dataTransfer?.types.includes('Files') && event.preventDefault();
    const drop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      // What is typed in a dialog stays.
      if (!mayChange || document.querySelector('dialog[open]')) return;
      droppedFiles.set(files);
      goTo(href(['import']));
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, [mayChange]);
}
