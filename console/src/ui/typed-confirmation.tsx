import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { Field, Form } from './form.tsx';
import type { Submission } from './submit.ts';

/** What cannot be taken back: the name must be typed first. */
export function TypedConfirmation({
  name,
  action,
  submission,
  onClose,
  onOutdated,
  children,
}: {
  name: string;
  action: string;
  submission: Submission;
  onClose: () => void;
  onOutdated?: () => void;
  children: ComponentChildren;
}) {
  const [typed, setTyped] = useState('');
  return (
    <Form
      submission={submission}
      fields={[]}
      action={action}
      isDanger
      isReady={typed.trim() === name.trim()}
      onClose={onClose}
      onOutdated={onOutdated}
    >
      {children}
      <p>{rich('form.type_name', { name })}</p>
      <Field label={t('form.typed_name')}>
        {(attributes) => (
          <input
            {...attributes}
            value={typed}
            autocomplete="off"
            autofocus
            spellcheck={false}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Field>
    </Form>
  );
}
