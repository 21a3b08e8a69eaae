import { csvOf } from '../csv.ts';
import { t } from '../language/language.ts';
import { dayOf } from './days.ts';
import { useCountedWork } from './counted-work.ts';
import { ErrorNotice } from './notice.tsx';

type Row = readonly (string | null | undefined)[];

/** Saves the whole list as a file, page by page. It shows its progress and can be cancelled. */
export function SaveButton({
  label,
  name,
  head,
  rows,
}: {
  label: string;
  /** Of the file, before the day. */
  name: string;
  head: Row;
  rows: (signal: AbortSignal) => AsyncIterable<Row[]>;
}) {
  const { count, error, begin, cancel } = useCountedWork(async (signal, tell) => {
    const parts = [csvOf([head])];
    let saved = 0;
    for await (const some of rows(signal)) {
      if (signal.aborted) return;
      parts.push(csvOf(some, false));
      tell((saved += some.length));
    }
    if (!signal.aborted) saveFile(`${name}-${dayOf(new Date())}.csv`, parts);
  });
  return (
    <>
      {count === undefined ? (
        <button type="button" onClick={begin}>
          {label}
        </button>
      ) : (
        <button type="button" onClick={cancel}>
          {t('save.cancel', { number: count })}
        </button>
      )}
      <ErrorNotice error={error} />
    </>
  );
}

/** Hands a text to the browser as a file. */
function saveFile(name: string, parts: string[], type = 'text/csv;charset=utf-8'): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the file by the next task.
  setTimeout(() => URL.revokeObjectURL(address));
}
