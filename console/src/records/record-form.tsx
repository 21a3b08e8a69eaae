import './records.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { isServiceError } from '../service.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { FieldInput } from './field-input.tsx';
import { type Field, faultsAt, type Values } from './fields.ts';
import { useDoing } from './use-doing.ts';

/** A dialog with a form. What the service refuses stands at its field, and what was typed stays. */
export function RecordForm({
  title,
  fields,
  initial,
  submit,
  save,
  onClose,
  note,
  explain,
  confirm,
}: {
  title: ComponentChildren;
  fields: readonly Field[];
  initial: Values;
  /** The words of the button. */
  submit: string;
  save: (values: Values) => Promise<void>;
  onClose: () => void;
  /** Something to say about what is chosen. */
  note?: (values: Values) => ComponentChildren;
  /** What will happen, above the fields. */
  explain?: ComponentChildren;
  /** The id of a record. It must be typed before the button does something that cannot be undone. */
  confirm?: string;
}) {
  const [typed, setTyped] = useState('');
  const [values, setValues] = useState(initial);
  const confirmId = useId();
  const form = useRef<HTMLFormElement>(null);
  const saving = useDoing(() => save(values));
  const faults = isServiceError(saving.error) ? faultsAt(fields, saving.error) : {};
  const isAtField = Object.keys(faults).length > 0;
  useEffect(() => {
    form.current?.querySelector<HTMLElement>(`${isAtField ? '.faulty ' : ''}:is(input, textarea, select)`)?.focus();
  }, [saving.error]);
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={form} onSubmit={saving.run} noValidate aria-busy={saving.isBusy}>
        {explain}
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            fault={faults[field.name]}
            onChange={(value) => setValues((values) => ({ ...values, [field.name]: value }))}
          />
        ))}
        {confirm !== undefined && (
          <div class="form-field">
            <label htmlFor={confirmId}>{rich('confirm.type', { id: <b class="id">{confirm}</b> })}</label>
            <input
              id={confirmId}
              autocomplete="off"
              dir="auto"
              value={typed}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </div>
        )}
        <div role="status">{note?.(values)}</div>
        {!isAtField && <ErrorNotice error={saving.error} />}
        <footer>
          <button type="button" onClick={onClose}>
            {t('action.cancel')}
          </button>
          <button
            class={confirm === undefined ? 'primary' : 'danger'}
            disabled={confirm !== undefined && visible(typed) !== visible(confirm)}
          >
            {submit}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** A page shows spaces and ends of lines in an id as one space, so no more can be asked of a person. */
const visible = (id: string): string => id.replace(/\s+/g, ' ').trim();
