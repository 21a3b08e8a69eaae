import { useState } from 'preact/hooks';
import { directoryChanged } from '../changed.ts';
import { t } from '../language/language.ts';
import { learnNames, type NamedKind, nameOf } from '../names.ts';
import { goTo, href } from '../routing/address.ts';
import { say } from '../ui/toast.tsx';
import { type Field, type Values, wireOf } from './fields.ts';
import { newId } from '../ui/new-id.ts';
import { operationsOn, PAGE_OF } from './operations.ts';
import { RecordForm } from './record-form.tsx';

const MAKE = {
  user: 'create.user',
  workspace: 'create.workspace',
  group: 'create.group',
  permission: 'create.permission',
} as const;

/** A button that opens the form for a new record. When it has been made, its card is shown. */
export function CreateRecordButton({
  kind,
  fields,
  initial,
  bodyOf = (values) => values,
}: {
  kind: NamedKind;
  fields: readonly Field[];
  initial: Values;
  /** What of the values is sent, if not all of them as they are. */
  bodyOf?: (values: Values) => Values;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        {t(MAKE[kind])}
      </button>
      {isOpen && (
        <CreateRecordForm
          kind={kind}
          fields={fields}
          initial={initial}
          bodyOf={bodyOf}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function CreateRecordForm({
  kind,
  fields,
  initial,
  bodyOf,
  onClose,
}: {
  kind: NamedKind;
  fields: readonly Field[];
  initial: Values;
  bodyOf: (values: Values) => Values;
  onClose: () => void;
}) {
  // One form makes one record, however often it is sent.
  const [idempotencyKey] = useState(newId);
  const create = async (values: Values) => {
    const body = Object.fromEntries(Object.entries(bodyOf(values)).map(([name, value]) => [name, wireOf(value)]));
    const record = await operationsOn(kind).create(body, { idempotencyKey });
    learnNames(kind, [record]);
    onClose();
    directoryChanged();
    say(t('create.done', { name: nameOf(record) }));
    goTo(href([PAGE_OF[kind], record.id]));
  };
  return (
    <RecordForm
      title={t(MAKE[kind])}
      fields={fields}
      initial={initial}
      submit={t('create.submit')}
      save={create}
      onClose={onClose}
    />
  );
}
