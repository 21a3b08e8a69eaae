import { useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { learnNames, type NamedKind, nameOf } from '../names.ts';
import { goTo, href } from '../routing/address.ts';
import { keyed, useChange } from '../make-once.ts';
import { type Field, REASON, reasonOf, type Values, valuesOf, wireOf } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';
import { operationsOn, PAGE_OF } from './operations.ts';

const MAKE = {
  user: 'create.user',
  workspace: 'create.workspace',
  group: 'create.group',
  permission: 'create.permission',
} as const;

interface Props {
  kind: NamedKind;
  fields: readonly Field[];
  /** What stands in the form, if not nothing. */
  initial?: Values;
  /** Another button of the page is the primary one. */
  isSecond?: true;
  /** What of the values is sent, if not all of them as they are. */
  bodyOf?: (values: Values) => Values;
}

/** A button that opens the form for a new record. When it has been made, its card is shown. */
export function CreateRecordButton(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={props.isSecond ? undefined : 'primary'} onClick={() => setOpen(true)}>
        {t(MAKE[props.kind])}
      </button>
      {isOpen && <CreateRecordForm {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function CreateRecordForm({
  kind,
  fields,
  initial,
  bodyOf = (values) => values,
  onClose,
}: Props & { onClose: () => void }) {
  const form = useForm({ ...valuesOf(fields, {}), ...initial, reason: '' });
  const change = useChange(
    ({ reason, ...values }: Values, id) => {
      const body = Object.fromEntries(Object.entries(bodyOf(values)).map(([name, value]) => [name, wireOf(value)]));
      return operationsOn(kind).create(body, { ...keyed(id), reason: reasonOf({ reason: reason ?? '' }) });
    },
    (record) => {
      learnNames(kind, [record]);
      onClose();
      say(t('create.done', { name: nameOf(record) }));
      goTo(href([PAGE_OF[kind], record.id]));
    },
  );
  return (
    <FormDialog
      fields={[...fields, REASON]}
      {...{ form, change, onClose }}
      title={t(MAKE[kind])}
      action={t('create.submit')}
      onSubmit={change.run}
    />
  );
}
