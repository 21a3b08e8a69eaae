import { useId } from 'preact/hooks';
import { t } from '../language/language.ts';
import { PlacePicker } from '../places/place-picker.tsx';
import { type Field, placesOf, type Value, valueOf } from './fields.ts';
import { PermissionList } from './permission-list.tsx';

/** One field of a form: its label, what one types or chooses, a hint, and what the service found wrong with it. */
export function FieldInput({
  field,
  value,
  fault,
  onChange,
}: {
  field: Field;
  value: Value;
  fault: string | undefined;
  onChange: (value: Value) => void;
}) {
  const id = useId();
  const described = [field.hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined;
  const common = { id, 'aria-invalid': Boolean(fault), 'aria-describedby': described };
  const typed = {
    ...common,
    value: value as string,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  return (
    <div class={fault ? 'form-field faulty' : 'form-field'}>
      {field.kind !== 'places' && <label htmlFor={id}>{t(field.label)}</label>}
      {field.hint && (
        <small id={`${id}-hint`} class="hint">
          {t(field.hint)}
        </small>
      )}
      {field.kind === 'text' && <input dir="auto" autocomplete="off" {...typed} />}
      {field.kind === 'long' && <textarea dir="auto" rows={3} {...typed} />}
      {field.kind === 'choice' && (
        <select {...typed}>
          {Object.entries(field.options ?? {}).map(([each, label]) => (
            <option key={each} value={each}>
              {t(label)}
            </option>
          ))}
        </select>
      )}
      {field.kind === 'permissions' && (
        <PermissionList
          label={t(field.label)}
          common={common}
          chosen={value as readonly string[]}
          onChange={onChange}
        />
      )}
      {field.kind === 'places' && (
        <PlacePicker label={t(field.label)} places={placesOf(value)} onChange={(places) => onChange(valueOf(places))} />
      )}
      {fault && (
        <p id={`${id}-fault`} class="fault">
          {fault}
        </p>
      )}
    </div>
  );
}
