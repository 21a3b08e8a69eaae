import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { directoryChanged } from '../directory-version.ts';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { isOutdated, isServiceError } from '../service-errors.ts';
import { Dialog } from './dialog.tsx';
import { FieldInput } from './field-input.tsx';
import { type Field, faultsAt, reasonExcess, same, type Value, type Values } from './fields.ts';
import { ErrorNotice } from './notice.tsx';

export interface FormState {
  values: Values;
  set(name: string, value: Value): void;
  /** Somebody has typed or chosen something. */
  isEdited: boolean;
}

export function useForm(initial: Values): FormState {
  const [first] = useState(initial);
  const [values, setValues] = useState(initial);
  return {
    values,
    set: (name, value) => setValues((values) => ({ ...values, [name]: value })),
    isEdited: Object.keys(values).some((name) => !same(values[name], first[name])),
  };
}

/** What became of the last attempt to make the change. */
export interface Attempt {
  isBusy: boolean;
  /** Why it failed. */
  error: unknown;
  /** It may have succeeded although no answer came: the same body is sent again with the same key. */
  isOpen: boolean;
}

const GONE = /^(user|workspace|group|permission)\.(invalid|unknown)$/;

interface Props {
  title: ComponentChildren;
  /** What will happen, above the fields. */
  explain?: ComponentChildren;
  fields?: readonly Field[];
  form: FormState;
  change: Attempt;
  /** The words of the button. */
  action: string;
  isDanger?: boolean;
  isReady?: boolean;
  /** What must be typed before something that cannot be undone: the name of a record, or its id. */
  confirm?: { id: string; name?: string };
  /** Shown instead of the error. */
  refusal?: string | false;
  onSubmit: (values: Values) => void;
  onClose: () => void;
  /** Shows the record as it is now, after somebody else has changed it. */
  onOutdated?: () => void;
  /** Beneath the fields: what will change. */
  children?: ComponentChildren;
}

/** A form in a dialog: its fields, what will change, what the service found wrong, and the two buttons. What was typed stays. */
export function FormDialog(props: Props) {
  const { fields = [], form, change, confirm, onSubmit, onClose } = props;
  const { isBusy, isOpen, error } = change;
  const [typed, setTyped] = useState('');
  const [isAsking, setAsking] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const faults = isServiceError(error) ? faultsAt(fields, error) : {};
  const isAtField = Object.keys(faults).length > 0;
  useEffect(() => {
    // What was chosen is gone: the lists that one chooses from are read anew.
    if (isServiceError(error) && GONE.test(error.code)) directoryChanged();
    const wanted = isAtField ? '[aria-invalid=true]' : ':is(input:not([type=hidden]), textarea, select):not(:disabled)';
    if (!isAtField && element.current?.contains(document.activeElement)) return;
    (element.current?.querySelector<HTMLElement>(wanted) ?? element.current?.querySelector('footer button'))?.focus();
  }, [error]);
  const isReady =
    (props.isReady ?? true) &&
    (!confirm || isConfirmed(typed, confirm)) &&
    fields.every(({ name, kind }) => kind !== 'reason' || reasonExcess(form.values[name]) <= 0);
  const leave = () => {
    if (isBusy) return;
    onClose();
    // It may have been made.
    if (isOpen) directoryChanged();
  };
  const ask = () => (form.isEdited && !isAsking && !isBusy ? setAsking(true) : leave());
  const submit = (event: Event) => {
    event.preventDefault();
    if (isReady && !isBusy) onSubmit(form.values);
  };
  return (
    <Dialog title={props.title} onClose={ask}>
      <form
        ref={element}
        noValidate
        aria-busy={isBusy}
        onSubmit={submit}
        onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit(event)}
      >
        {props.explain}
        {fields.map((field, index) => (
          <FieldInput
            key={field.name}
            field={field}
            value={form.values[field.name] ?? ''}
            fault={faults[field.name]}
            isFirst={index === 0}
            onChange={(value) => form.set(field.name, value)}
          />
        ))}
        {confirm && <Confirmation confirm={confirm} typed={typed} onType={setTyped} />}
        {props.children}
        <Failure {...props} isAtField={isAtField} />
        <p role="status" class={isBusy ? 'hint' : 'visually-hidden'}>
          {isBusy && t('change.under_way')}
        </p>
        {isAsking ? (
          <Discard onDiscard={leave} onKeep={() => setAsking(false)} />
        ) : (
          <footer>
            <button type="button" onClick={leave} disabled={isBusy}>
              {t(isOpen ? 'action.close' : 'action.cancel')}
            </button>
            <button class={props.isDanger ? 'primary destructive' : 'primary'} disabled={!isReady || isBusy}>
              {isOpen ? t('action.try_again') : props.action}
            </button>
          </footer>
        )}
      </form>
    </Dialog>
  );
}

function Failure({ change: { error }, refusal, onOutdated, isAtField }: Props & { isAtField: boolean }) {
  if (refusal)
    return (
      <div class="notice error" role="alert">
        {refusal}
      </div>
    );
  if (isOutdated(error) && onOutdated) return <Outdated reload={onOutdated} />;
  return isAtField ? null : <ErrorNotice error={error} />;
}

/** Somebody else has changed the record meanwhile: nothing was changed by this page. */
export function Outdated({ reload }: { reload: () => void }) {
  return (
    <div class="notice error" role="alert">
      <p>{t('form.outdated')}</p>
      <button type="button" onClick={reload}>
        {t('form.show_current')}
      </button>
    </div>
  );
}

/** Escape has closed nothing: what was typed would be lost. */
function Discard({ onDiscard, onKeep }: { onDiscard: () => void; onKeep: () => void }) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <footer>
      <span role="alert">{t('form.discard_question')}</span>
      <button type="button" onClick={onDiscard}>
        {t('form.discard')}
      </button>
      <button type="button" class="primary" ref={keep} onClick={onKeep}>
        {t('form.keep')}
      </button>
    </footer>
  );
}

/** A page shows white space as one space, so no more can be asked of a person. */
const visible = (text: string): string => text.replace(/\s+/g, ' ').trim();

const isConfirmed = (typed: string, { id, name = id }: { id: string; name?: string }): boolean =>
  visible(typed) !== '' && [id, name].some((each) => visible(each) === visible(typed));

function Confirmation({
  confirm,
  typed,
  onType,
}: {
  confirm: { id: string; name?: string };
  typed: string;
  onType: (typed: string) => void;
}) {
  const field = useId();
  const { id, name = id } = confirm;
  const isWrong = visible(typed) !== '' && !isConfirmed(typed, confirm);
  const shown = (text: string) => <b class="id">{text}</b>;
  return (
    <div class="form-field">
      <label htmlFor={field}>
        {visible(id) === visible(name)
          ? rich('confirm.type', { id: shown(id) })
          : rich('confirm.type_either', { name: shown(name), id: shown(id) })}
      </label>
      <input
        id={field}
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        aria-describedby={`${field}-more`}
        value={typed}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      <p id={`${field}-more`} role="status" class="hint">
        {isWrong && t('confirm.differs')}
      </p>
    </div>
  );
}
