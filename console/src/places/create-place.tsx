import { CreateRecordButton } from '../records/create-record.tsx';
import { FIELDS, ID } from '../records/fields.ts';
import type { Field } from '../ui/fields.ts';

const [name, permissions] = FIELDS.workspace as [Field, Field];
const NEW_PLACE = [name, ID, permissions];
const NEW_PERMISSION = [{ ...ID, hint: 'field.id_of_permission_hint' }, ...FIELDS.permission] as const;

/** Opens the form for a new workspace. */
export function CreateWorkspaceButton() {
  return <CreateRecordButton kind="workspace" fields={NEW_PLACE} />;
}

/** Opens the form for a new group in this workspace. */
export function CreateGroupButton({ workspace }: { workspace: string }) {
  return (
    <CreateRecordButton
      kind="group"
      isSecond
      fields={NEW_PLACE}

      bodyOf={(values) => ({ ...values, workspace })}
    />
  );
}

/** Opens the form for a new permission. */
export function CreatePermissionButton() {
  return <CreateRecordButton kind="permission" fields={NEW_PERMISSION} initial={{ grants: 'member' }} />;
}
