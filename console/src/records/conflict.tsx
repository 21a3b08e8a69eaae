import type { JournalEntry } from '@user-administration/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Actor, listed } from '../history/subjects.tsx';
import { type MessageKey, t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { fullTime, Time } from '../language/time.tsx';
import type { Change } from '../make-once.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { type Field, same, type Value, type Values } from '../ui/fields.ts';

const SIDES = ['theirs', 'yours'] as const;
type Side = (typeof SIDES)[number];

/** Somebody else has changed the record while it was in the form. For each field that differs one takes theirs or one's own. */
export function Conflict({
  fields,
  before,
  entry,
  change,
  onSave,
  onBack,
  onClose,
  ...sides
}: {
  fields: readonly Field[];
  before: Values;
  theirs: Values;
  yours: Values;
  /** The entry of their change in the journal. */
  entry: JournalEntry | undefined;
  change: Pick<Change<never>, 'isBusy' | 'error'>;
  onSave: (decided: Values) => void;
  /** Goes on in the form, on the ground of theirs. */
  onBack: (decided: Values) => void;
  onClose: () => void;
}) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const { theirs, yours } = sides;
  // What one has not touched is not worth an overwriting.
  const sideOf = (name: string): Side => chosen[name] ?? (same(yours[name], before[name]) ? 'theirs' : 'yours');
  const decided = Object.fromEntries(fields.map(({ name }) => [name, sides[sideOf(name)][name] ?? '']));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('.primary')?.focus(), []);
  return (
    <Dialog title={t('conflict.title')} onClose={onClose}>
      <form ref={form} onSubmit={(event) => (event.preventDefault(), onSave(decided))} aria-busy={change.isBusy}>
        <p>
          {entry
            ? rich('conflict.by', { who: <Actor actor={entry.actor} />, when: <Time at={entry.at} /> })
            : t('conflict.by_somebody')}{' '}
          {t('conflict.decide')}
        </p>
        {fields
          .filter(({ name }) => !same(theirs[name], yours[name]))
          .map((field) => (
            <fieldset key={field.name} class="sides">
              <legend>{t(field.label)}</legend>
              {SIDES.map((side) => (
                <label key={side}>
                  <input
                    type="radio"
                    name={field.name}
                    checked={sideOf(field.name) === side}
                    onChange={() => setChosen((chosen) => ({ ...chosen, [field.name]: side }))}
                  />
                  <span>
                    {rich(`conflict.${side}`, { value: <Shown field={field} value={sides[side][field.name] ?? ''} /> })}
                  </span>
                </label>
              ))}
            </fieldset>
          ))}
        <ErrorNotice error={change.error} />
        <footer>
          <button type="button" onClick={() => onBack(decided)}>
            {t('conflict.back')}
          </button>
          <button class="primary">{t('edit.submit')}</button>
        </footer>
      </form>
    </Dialog>
  );
}

function Shown({ field, value }: { field: Field; value: Value }) {
  if (typeof value === 'boolean' || value.length === 0) return <i>{t('field.nothing')}</i>;
  if (typeof value !== 'string') return <>{listed(value.map((id) => <b key={id}>{id}</b>))}</>;
  if (field.kind === 'end') return <b>{fullTime(value)}</b>;
  const words = field.options?.[value];
  return <b>{words ? t(words as MessageKey) : value}</b>;
}
