import type { VNode } from 'preact';
import { useLaterMessages } from './language/language.ts';
import { useLoaded } from './ui/load.ts';
import { ErrorNotice, PageError, Skeleton } from './ui/notice.tsx';

type LaterPages = typeof import('./administrators-pages.ts');

let pages: LaterPages | undefined;

/** After a new release it may be gone: then the whole page is to be loaded anew. */
async function load(): Promise<void> {
  if (pages) return;
  const both = Promise.all([import('./administrators-pages.ts'), useLaterMessages()]);
  [pages] = await both.catch(() => {
    throw new PageError('error.page');
  });
}

/** A page that the browser loads with the first that is opened of its kind. */
export function Later({ show }: { show: (pages: LaterPages) => VNode }) {
  const { error, reload } = useLoaded(load, []);
  if (pages) return show(pages);
  return error === undefined ? <Skeleton /> : <ErrorNotice error={error} retry={reload} />;
}
