import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { type MessageKey, t } from '../language/language.ts';
import { EndInput } from './end-input.tsx';
import { type Field, reasonExcess, type Value, type Words } from './fields.ts';

/** The counter is shown when at most this many characters of a reason are left. */
const FEW_LEFT = 80;
/** Kinds that are groups of inputs with labels of their own. */
const GROUPS: readonly Field['kind'][] = ['radio', 'checks'];
/** Inputs that show the label of their field themselves. */
const hasOwnLabel = (kind: Field['kind']): boolean =>
  typeof kind === 'object' ? kind.hasLabel === true : kind === 'check' || GROUPS.includes(kind);

interface Props {
  field: Field;
  value: Value;
  /** What the service found wrong with it. */
  fault: string | undefined;
  isFirst: boolean;
  onChange: (value: Value) => void;
}

/** One field of a form: its label, what one types or chooses, a hint, and what is wrong with it. */
export function FieldInput(props: Props) {
  const { field, fault } = props;
  const id = useId();
  const described = [field.hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined;
  const common = { id, 'aria-invalid': Boolean(fault), 'aria-describedby': described };
  const Group = GROUPS.includes(field.kind) ? 'fieldset' : 'div';
  return (
    <Group class={fault ? 'form-field faulty' : 'form-field'}>
      {Group === 'fieldset' && <legend>{t(field.label)}</legend>}
      {!hasOwnLabel(field.kind) && <label htmlFor={id}>{t(field.label)}</label>}
      {field.hint && field.kind !== 'check' && (
        <small id={`${id}-hint`} class="hint">
          {t(field.hint)}
        </small>
      )}
      <Input {...props} common={common} />
      {fault && (
        <p id={`${id}-fault`} class="fault">
          {fault}
        </p>
      )}
    </Group>
  );
}

interface Common {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

function Input({ field, value, isFirst, onChange, common }: Props & { common: Common }): JSX.Element {
  const { kind, name, options = {} } = field;
  const typed = {
    ...common,
    value: value as string,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  if (typeof kind === 'object')
    return <kind.show {...{ field, value, isFirst, onChange, common: { ...common } }} label={t(field.label)} />;
  switch (kind) {
    case 'text':
      return <input dir={field.isCode ? 'ltr' : 'auto'} autocomplete="off" required={field.isRequired} {...typed} />;
    case 'long':
      return <textarea dir="auto" rows={3} {...typed} />;
    case 'end':
      return <EndInput value={value as string} {...{ common, onChange }} />;
    case 'reason':
      return <Reason typed={typed} reason={value} />;
    case 'choice':
      return (
        <select {...typed}>
          {Object.entries(options).map(([each, words]) => (
            <option key={each} value={each}>
              {wordsOf(words)}
            </option>
          ))}
        </select>
      );
    case 'radio':
      return (
        <>
          {Object.entries(options).map(([each, words]) => (
            <Box
              key={each}
              type="radio"
              name={name}
              words={words}
              checked={value === each}
              onChange={() => onChange(each)}
            />
          ))}
        </>
      );
    case 'check':
      return (
        <Box
          type="checkbox"
          words={field.label}
          hint={field.hint}
          checked={value === true}
          onChange={(isChecked) => onChange(isChecked)}
        />
      );
    case 'checks':
      return <Checks field={field} chosen={value as readonly string[]} onChange={onChange} />;
  }
}

const wordsOf = (words: Words): string => t(words as MessageKey);

function Reason({ typed, reason }: { typed: object; reason: Value }) {
  const excess = reasonExcess(reason);
  return (
    <>
      <textarea dir="auto" rows={2} {...typed} />
      <p role="status" class={excess > 0 ? 'counter loud' : 'counter hint'}>
        {excess > 0
          ? t('change.reason.too_long', { count: excess })
          : excess >= -FEW_LEFT && t('change.reason.left', { count: -excess })}
      </p>
    </>
  );
}

function Checks({
  field: { options = {}, all },
  chosen,
  onChange,
}: {
  field: Field;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}) {
  const names = Object.keys(options);
  return (
    <>
      {all && (
        <Box
          type="checkbox"
          words={all}
          checked={names.every((name) => chosen.includes(name))}
          onChange={(isChecked) => onChange(isChecked ? names : [])}
        />
      )}
      <div class="checks">
        {Object.entries(options).map(([name, words]) => (
          <Box
            key={name}
            type="checkbox"
            words={words}
            checked={chosen.includes(name)}
            onChange={(isChecked) =>
              onChange(names.filter((each) => (each === name ? isChecked : chosen.includes(each))))
            }
          />
        ))}
      </div>
    </>
  );
}

function Box({
  words,
  hint,
  onChange,
  ...input
}: {
  type: 'radio' | 'checkbox';
  name?: string;
  words: Words;
  hint?: MessageKey;
  checked: boolean;
  onChange: (isChecked: boolean) => void;
}) {
  return (
    <label class="choice">
      <input {...input} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span>
        {wordsOf(words)}
        {hint && <small>{t(hint)}</small>}
      </span>
    </label>
  );
}
