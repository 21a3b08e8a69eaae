import { useState } from 'preact/hooks';
import { directoryChanged } from '../changed.ts';
import { t } from '../language/language.ts';
import { nameOf, type NamedKind } from '../names.ts';
import { goTo, href } from '../routing/address.ts';
import { say } from '../ui/toast.tsx';
import { type AnyRecord, operationsOn, PAGE_OF } from './operations.ts';
import { RecordForm } from './record-form.tsx';

const WHAT = { workspace: 'delete.workspace', group: 'delete.group', permission: 'delete.permission' } as const;

/** A button that deletes a place or a permission, when its id has been typed. */
export function DeleteButton({ kind, record }: { kind: Exclude<NamedKind, 'user'>; record: AnyRecord }) {
  const [isOpen, setOpen] = useState(false);
  const name = nameOf(record);
  const remove = async () => {
    await operationsOn(kind).delete(record.id);
    setOpen(false);
    goTo(record.workspace === undefined ? href([PAGE_OF[kind]]) : href(['workspaces', record.workspace]));
    say(t('delete.done', { name }));
    directoryChanged();
  };
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {t('action.delete')}
      </button>
      {isOpen && (
        <RecordForm
          title={t('delete.title', { name })}
          explain={<p>{t(WHAT[kind])}</p>}
          fields={[]}
          initial={{}}
          confirm={record.id}
          submit={t('action.delete')}
          save={remove}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
