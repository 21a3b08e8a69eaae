import type { ScimConnection, ScimConnectionWithToken } from '@user-administration/client';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { deleted } from '../records/operations.ts';
import { service } from '../service.ts';
import { keyed, useChange } from '../ui/change.ts';
import { type Field, type Values, valuesOf } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';

type Fields = Pick<ScimConnection, 'name' | 'workspace' | 'workspaces' | 'idFrom' | 'mayGrantAdministrator'>;
type Stored = ScimConnection & { etag: string };

const WORKSPACE: Field = {
  name: 'workspace',
  label: 'connection.workspace',
  kind: 'workspaces',
  most: 1,
  hint: 'connection.workspace_hint',
};
const NAME: Field = {
  name: 'name',
  label: 'connection.name',
  kind: 'text',
  isRequired: true,
  hint: 'connection.name_hint',
};
const FURTHER: Field = {
  name: 'workspaces',
  label: 'connection.workspaces',
  kind: 'workspaces',
  hint: 'connection.workspaces_hint',
};
const ID_FROM: Field = {
  name: 'idFrom',
  label: 'connection.id_from',
  kind: 'radio',
  options: { externalId: 'connection.id_from.external_id', userName: 'connection.id_from.user_name' },
  hint: 'connection.id_from_hint',
};
const MAY_GRANT: Field = {
  name: 'mayGrantAdministrator',
  label: 'connection.may_grant',
  kind: 'check',
  hint: 'connection.may_grant_hint',
};
const NEW = [WORKSPACE, NAME, FURTHER, ID_FROM, MAY_GRANT];
const CHANGEABLE = [NAME, WORKSPACE, FURTHER, MAY_GRANT];
const OVERLAP: Field = {
  name: 'overlap',
  label: 'connection.overlap',
  kind: 'radio',
  options: { '0': 'connection.overlap.none', '3600': 'connection.overlap.hour', '86400': 'connection.overlap.day' },
};

export function CreateConnection({
  onClose,
  onDone,
}: {
  onClose: () => void;
  onDone: (made: ScimConnectionWithToken) => void;
}) {
  const form = useForm({ workspace: '', name: '', workspaces: [], idFrom: 'externalId', mayGrantAdministrator: false });
  const change = useChange(
    (values: Values, id) => service.scimConnections.create(values as unknown as Fields, keyed(id)),
    onDone,
  );
  return (
    <FormDialog
      title={t('connection.new')}
      fields={NEW}
      action={t('connection.create')}
      onSubmit={change.run}
      {...{ form, change, onClose }}
    />
  );
}

interface Asked {
  connection: Stored;
  onClose: () => void;
  onOutdated: () => void;
}

/** @param connection as it was shown: the change is made only if it still is */
export function ChangeConnection({ connection, ...asked }: Asked) {
  const form = useForm(valuesOf(CHANGEABLE, connection));
  const change = useChange(
    (values: Values, requestId) =>
      service.scimConnections.update(connection.id, values as unknown as Fields, {
        ifMatch: connection.etag,
        requestId,
      }),
    ({ name }) => (asked.onClose(), say(t('form.saved', { name }))),
  );
  return (
    <FormDialog
      title={t('connection.edit')}
      fields={CHANGEABLE}
      action={t('action.save')}
      onSubmit={change.run}
      {...{ form, change, ...asked }}
    />
  );
}

export function DeleteConnection({ connection: { id, name, etag }, ...asked }: Asked) {
  const change = useChange(
    (_: object, requestId, isAgain) =>
      deleted(service.scimConnections.delete(id, { ifMatch: etag, requestId }), isAgain),
    () => (asked.onClose(), say(t('form.deleted', { name }))),
  );
  return (
    <FormDialog
      title={t('connection.delete')}
      explain={<p>{rich('connection.delete_about', { name })}</p>}
      form={useForm({})}
      confirm={{ id: name }}
      action={t('action.delete')}
      isDanger
      onSubmit={change.run}
      {...{ change, ...asked }}
    />
  );
}

/** Makes a new token. Which version the rest of the connection has does not matter for it. */
export function RotateToken({
  connection: { id, name },
  onClose,
  onDone,
}: {
  connection: ScimConnection;
  onClose: () => void;
  onDone: (token: string) => void;
}) {
  const form = useForm({ overlap: '86400' });
  const change = useChange(
    ({ overlap }: Values, key) => service.scimConnections.rotateToken(id, { ...keyed(key), overlap: Number(overlap) }),
    onDone,
  );
  return (
    <FormDialog
      title={t('connection.rotate')}
      explain={<p>{rich('connection.rotate_about', { name })}</p>}
      fields={[OVERLAP]}
      action={t('connection.rotate')}
      onSubmit={change.run}
      {...{ form, change, onClose }}
    />
  );
}
