import { useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { nameOf, type NamedKind } from '../names.ts';
import { goTo, href } from '../routing/address.ts';
import { useChange } from '../make-once.ts';
import { REASON, reasonOf, type Values } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';
import { ImpactBox, useImpact } from './impact.tsx';
import { type AnyRecord, deleted, operationsOn, PAGE_OF } from './operations.ts';

const WHAT = { workspace: 'delete.workspace', group: 'delete.group', permission: 'delete.permission' } as const;

interface Props {
  kind: Exclude<NamedKind, 'user'>;
  record: AnyRecord;
}

/** A button that deletes a place or a permission, when its name or id has been typed. */
export function DeleteButton(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {t('action.delete')}
      </button>
      {isOpen && <DeleteForm {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function DeleteForm({ kind, record, onClose }: Props & { onClose: () => void }) {
  const name = nameOf(record);
  const change = useChange(
    (values: Values, id, isAgain) =>
      deleted(operationsOn(kind).delete(record.id, { requestId: id, reason: reasonOf(values) }), isAgain),
    () => {
      onClose();
      goTo(record.workspace === undefined ? href([PAGE_OF[kind]]) : href(['workspaces', record.workspace]));
      say(t('delete.done', { name }));
    },
  );
  const impact = useImpact(kind, record.id);
  return (
    <FormDialog
      title={t('delete.title', { name })}
      explain={<p>{t(WHAT[kind])}</p>}
      fields={[REASON]}
      form={useForm({ reason: '' })}
      confirm={{ id: record.id, name }}
      action={t('action.delete')}
      isDanger
      isReady={!impact.isLoading}
      onSubmit={change.run}
      {...{ change, onClose }}
    >
      <ImpactBox impact={impact} />
    </FormDialog>
  );
}
