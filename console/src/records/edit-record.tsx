import type { JournalEntry } from '@user-administration/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { directoryChanged } from '../changed.ts';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { learnNames, type NamedKind, nameOf } from '../names.ts';
import { isServiceError } from '../service.ts';
import { Dialog } from '../ui/dialog.tsx';
import { PageError } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';
import { Conflict } from './conflict.tsx';
import { FIELDS, same, type Values, valuesOf, wireOf } from './fields.ts';
import { type AnyRecord, lastChangeOf, operationsOn } from './operations.ts';
import { RecordForm } from './record-form.tsx';

/** The record in the form, what was made of it, and what somebody else has made of it meanwhile. */
interface Editing {
  base: AnyRecord;
  values: Values;
  conflict?: { theirs: AnyRecord; entry: JournalEntry | undefined };
  isGone?: true;
}

/** Changes a record as it was shown. If somebody else was faster, one decides field by field. */
export function EditRecord({
  kind,
  record,
  onClose,
  note,
}: {
  kind: NamedKind;
  record: AnyRecord;
  onClose: () => void;
  note?: (values: Values) => ComponentChildren;
}) {
  const fields = FIELDS[kind];
  const [{ base, values, conflict, isGone }, setEditing] = useState<Editing>(() => ({
    base: record,
    values: valuesOf(fields, record),
  }));

  const close = () => {
    onClose();
    // Behind the dialog stands what was shown before.
    directoryChanged();
  };
  const done = (saved: AnyRecord) => {
    learnNames(kind, [saved]);
    close();
    say(t('edit.done', { name: nameOf(saved) }));
  };

  const save = async (base: AnyRecord, values: Values, isSecond = false): Promise<void> => {
    const before = valuesOf(fields, base);
    const changed = fields.filter(({ name }) => !same(values[name], before[name]));
    if (changed.length === 0) return close();
    const patch = Object.fromEntries(changed.map(({ name }) => [name, wireOf(values[name] ?? '')]));
    try {
      const saved = await operationsOn(kind).update(base.id, patch, { ifMatch: base.etag });
      done(saved);
    } catch (error) {
      if (!isServiceError(error)) throw error;
      if (error.status === 404) setEditing({ base, values, isGone: true });
      else if (error.code === 'record.changed') await lookAgain(base, values, isSecond);
      else throw error;
    }
  };

  const lookAgain = async (base: AnyRecord, values: Values, isSecond: boolean): Promise<void> => {
    const [theirs, entry] = await Promise.all([operationsOn(kind).get(base.id), lastChangeOf(kind, base)]);
    const [before, after] = [valuesOf(fields, base), valuesOf(fields, theirs)];
    // The answer to an earlier attempt got lost: this has been saved.
    if (fields.every(({ name }) => same(values[name], after[name]))) done(theirs);
    // Whatever else changed, such as the status, is no matter of this form. Once is enough: a proxy may spoil the version each time.
    else if (fields.every(({ name }) => same(before[name], after[name]))) {
      if (isSecond) throw new PageError('edit.version_lost');
      await save(theirs, values, true);
    } else setEditing({ base, values, conflict: { theirs, entry } });
  };

  if (isGone)
    return (
      <Dialog title={t('edit.title', { name: nameOf(base) })} onClose={onClose}>
        <p role="alert">{rich('edit.gone', { name: nameOf(base) })}</p>
        <footer>
          <button type="button" onClick={close}>
            {t('action.close')}
          </button>
        </footer>
      </Dialog>
    );
  if (conflict)
    return (
      <Conflict
        fields={fields}
        before={valuesOf(fields, base)}
        theirs={valuesOf(fields, conflict.theirs)}
        yours={values}
        entry={conflict.entry}
        save={(decided) => save(conflict.theirs, decided)}
        onBack={(decided) => setEditing({ base: conflict.theirs, values: decided })}
        onClose={close}
      />
    );
  return (
    <RecordForm
      title={t('edit.title', { name: nameOf(base) })}
      fields={fields}
      initial={values}
      submit={t('edit.submit')}
      save={(values) => save(base, values)}
      onClose={onClose}
      note={note}
    />
  );
}
