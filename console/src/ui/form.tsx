import './form.css';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../language/language.ts';
import { ErrorNotice } from './notice.tsx';
import { errorElsewhere, isOutdated, type Submission } from './submit.ts';

/** A form in a dialog: its fields, what is wrong, and the two buttons. */
export function Form({
  submission,
  fields,
  action,
  isDanger,
  isReady = true,
  onClose,
  onOutdated,
  children,
}: {
  submission: Submission;
  /** The names of the fields that tell their errors themselves. */
  fields: readonly string[];
  /** What the button says. */
  action: string;
  isDanger?: boolean;
  isReady?: boolean;
  onClose: () => void;
  /** Shows the record as it is now, after somebody else has changed it. */
  onOutdated?: () => void;
  children: ComponentChildren;
}) {
  const { error, isBusy } = submission;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void submission.run();
      }}
    >
      {children}
      {isOutdated(error) ? <Outdated reload={onOutdated} /> : <ErrorNotice error={errorElsewhere(error, fields)} />}
      <footer>
        <button type="button" onClick={onClose}>
          {t('action.cancel')}
        </button>
        <button class={isDanger ? 'danger' : 'primary'} disabled={!isReady} aria-busy={isBusy}>
          {isBusy ? t('form.busy') : action}
        </button>
      </footer>
    </form>
  );
}

/** Somebody else has changed the record meanwhile: nothing was changed by this page. */
export function Outdated({ reload }: { reload?: () => void }) {
  return (
    <div class="notice error" role="alert">
      <p>{t('form.outdated')}</p>
      {reload && (
        <button type="button" onClick={reload}>
          {t('form.show_current')}
        </button>
      )}
    </div>
  );
}

/** A field with its label, and what is wrong with it. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: ComponentChildren;
  error?: string;
  children: (attributes: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => VNode;
}) {
  const id = useId();
  const isDescribed = Boolean(error) || Boolean(hint);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': isDescribed ? `${id}-more` : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {isDescribed && (
        <div id={`${id}-more`}>
          {error && <p class="wrong">{error}</p>}
          {hint && <small>{hint}</small>}
        </div>
      )}
    </div>
  );
}

/** Several boxes or one of several, under a common name. */
export function Choices({ legend, error, children }: { legend: string; error?: string; children: ComponentChildren }) {
  return (
    <fieldset aria-invalid={error ? true : undefined} tabIndex={error ? -1 : undefined}>
      <legend>{legend}</legend>
      {error && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
      {children}
    </fieldset>
  );
}
