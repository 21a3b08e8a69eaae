import type { JournalEntry } from '@user-administration/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { directoryChanged } from '../directory-version.ts';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { learnNames, type NamedKind, nameOf } from '../names.ts';
import { isServiceError } from '../service-errors.ts';
import { useChange } from '../make-once.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type Field, REASON, reasonOf, same, type Values, valuesOf, wireOf } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { PageError } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';
import { Conflict } from './conflict.tsx';
import { FIELDS } from './fields.ts';
import { ImpactBox, useImpact } from './impact.tsx';
import { type AnyRecord, lastChangeOf, operationsOn } from './operations.ts';

/** The record in the form, what was made of it, and what somebody else has made of it meanwhile. */
interface Editing {
  base: AnyRecord;
  values: Values;
  conflict?: { theirs: AnyRecord; entry: JournalEntry | undefined };
  isGone?: true;
}
type Saved = AnyRecord | 'nothing' | 'undecided';

/** The fields that change what people may. */
const TOUCHING = ['permissions', 'grants'] as const;

interface Props {
  kind: NamedKind;
  record: AnyRecord;
  onClose: () => void;
  /** Something to say about what is chosen. */
  note?: (values: Values) => ComponentChildren;
  /** If not all fields are changed. */
  fields?: readonly Field[];
  /** What the form begins with, if not with what the record has. */
  start?: Values;
  title?: string;
}

/** Changes a record as it was shown. If somebody else was faster, one decides field by field. */
export function EditRecord({ kind, record, onClose, note, fields = FIELDS[kind], start, ...words }: Props) {
  const [{ base, values, conflict, isGone }, setEditing] = useState<Editing>(() => ({
    base: record,
    values: { ...valuesOf(fields, record), reason: '', ...start },
  }));

  const save = async (base: AnyRecord, values: Values, requestId: string, isSecond = false): Promise<Saved> => {
    const before = valuesOf(fields, base);
    const changed = fields.filter(({ name }) => !same(values[name], before[name]));
    if (changed.length === 0) return 'nothing';
    const patch = Object.fromEntries(changed.map(({ name }) => [name, wireOf(values[name])]));
    try {
      return await operationsOn(kind).update(base.id, patch, {
        ifMatch: base.etag,
        requestId,
        reason: reasonOf(values),
      });
    } catch (error) {
      if (!isServiceError(error)) throw error;
      if (error.code === 'record.changed') return lookAgain(base, values, requestId, isSecond);
      if (error.status !== 404) throw error;
      setEditing({ base, values, isGone: true });
      return 'undecided';
    }
  };

  const lookAgain = async (base: AnyRecord, values: Values, requestId: string, isSecond: boolean): Promise<Saved> => {
    const [theirs, entry] = await Promise.all([operationsOn(kind).get(base.id), lastChangeOf(kind, base)]);
    const [before, after] = [valuesOf(fields, base), valuesOf(fields, theirs)];
    // The answer to an earlier attempt got lost: this has been saved.
    if (fields.every(({ name }) => same(values[name], after[name]))) return theirs;
    // Whatever else changed, such as the status, is no matter of this form. Once is enough: a proxy may spoil the version each time.
    if (fields.every(({ name }) => same(before[name], after[name]))) {
      if (isSecond) throw new PageError('edit.version_lost');
      return save(theirs, values, requestId, true);
    }
    setEditing({ base, values, conflict: { theirs, entry } });
    return 'undecided';
  };

  const change = useChange(
    ({ base, values }: { base: AnyRecord; values: Values }, id) => save(base, values, id),
    (saved) => {
      if (saved === 'undecided') return false;
      onClose();
      if (saved === 'nothing') return true;
      learnNames(kind, [saved]);
      return say(t('edit.done', { name: nameOf(saved) }));
    },
  );
  const withReason = (decided: Values): Values => ({ ...decided, reason: values.reason ?? '' });
  const close = () => {
    onClose();
    // Behind the dialog stands what was shown before.
    directoryChanged();
  };
  const { title = t('edit.title', { name: nameOf(base) }) } = words;
  if (isGone)
    return (
      <Dialog title={title} onClose={onClose}>
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
        change={change}
        onSave={(decided) => change.run({ base: conflict.theirs, values: withReason(decided) })}
        onBack={(decided) => setEditing({ base: conflict.theirs, values: withReason(decided) })}
        onClose={close}
      />
    );
  return (
    <EditForm
      base={base}
      {...{ kind, fields, title, change, onClose, note }}
      initial={values}
      onSave={(values) => change.run({ base, values })}
    />
  );
}

function EditForm({
  kind,
  fields,
  base,
  initial,
  title,
  change,
  note,
  onSave,
  onClose,
}: Pick<Props, 'kind' | 'onClose' | 'note'> & {
  base: AnyRecord;
  fields: readonly Field[];
  initial: Values;
  title: string;
  change: Parameters<typeof FormDialog>[0]['change'];
  onSave: (values: Values) => void;
}) {
  const form = useForm(initial);
  // Whom it touches: what else a record has touches nobody.
  const before = valuesOf(fields, base);
  const touching = TOUCHING.filter((name) => name in before && !same(form.values[name], before[name]));
  const patch = Object.fromEntries(touching.map((name) => [name, wireOf(form.values[name])]));
  const impact = useImpact(kind, base.id, patch, touching.length > 0);
  return (
    <FormDialog
      fields={[...fields, REASON]}
      {...{ title, form, change, onClose }}
      action={t('edit.submit')}
      onSubmit={onSave}
    >
      <div role="status">{note?.(form.values)}</div>
      {touching.length > 0 && <ImpactBox impact={impact} />}
    </FormDialog>
  );
}
