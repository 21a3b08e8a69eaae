import type { ComponentChildren, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { learnNames, type NamedKind, nameOf } from '../names.ts';
import { isServiceError } from '../service-errors.ts';
import { AdministratorsOnly } from '../session/administrators-only.tsx';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { type AnyRecord, operationsOn } from './operations.ts';

const GONE = {
  user: 'gone.user',
  workspace: 'gone.workspace',
  group: 'gone.group',
  permission: 'gone.permission',
} as const;

/** The card of one record, while it is under way, when it is there, and when there is none with this id. */
export function RecordPage<Kind extends AnyRecord>({
  kind,
  id,
  gone,
  children,
}: {
  kind: NamedKind;
  id: string;
  /** What can still be done where there is no such record. */
  gone?: ComponentChildren;
  children: (record: Kind) => VNode;
}) {
  const { value, error, isSlow, reload } = useLoaded(
    (signal) => operationsOn(kind).get(id, { signal }) as Promise<Kind>,
    [kind, id],
  );
  useEffect(() => {
    if (!value) return;
    learnNames(kind, [value]);
    document.title = `${nameOf(value)} · ${t('title')}`;
  }, [value]);
  if (isServiceError(error) && error.status === 404)
    return (
      <section class="card">
        <h1>
          <bdi>{id}</bdi>
        </h1>
        <p>{rich(GONE[kind], { id })}</p>
        {gone}
      </section>
    );
  return (
    <>
      <ErrorNotice error={error} retry={reload} />
      {value ? children(value) : error === undefined && <Skeleton isSlow={isSlow} />}
    </>
  );
}

/** The head of a card: what the record is called, words about it, and what can be done. */
export function RecordHead({
  record,
  mark,
  words,
  line,
  children,
}: {
  record: AnyRecord;
  /** Before the name. */
  mark?: ComponentChildren;
  words?: ComponentChildren;
  /** Below the name. */
  line?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <>
      <div class="record-head">
        {mark}
        <div>
          <h1 class="record-name">
            <bdi>{nameOf(record)}</bdi> {words}
          </h1>
          {line && <div class="row quiet">{line}</div>}
        </div>
      </div>
      <AdministratorsOnly>
        <div class="row" role="group" aria-label={t('card.actions')}>
          {children}
        </div>
      </AdministratorsOnly>
    </>
  );
}
