import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import type { NamedKind } from '../names.ts';
import type { Values } from '../ui/fields.ts';
import { EditRecord } from './edit-record.tsx';
import type { AnyRecord } from './operations.ts';

/** A button that opens the form of a record. */
export function EditButton({
  kind,
  record,
  note,
}: {
  kind: NamedKind;
  record: AnyRecord;
  note?: (values: Values) => ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {t('action.edit')}
      </button>
      {isOpen && <EditRecord kind={kind} record={record} note={note} onClose={() => setOpen(false)} />}
    </>
  );
}
