import { useState } from 'preact/hooks';
import type { ScimConnection, ScimConnectionWithToken } from '@user-administration/client';
import { t } from '../language/language.ts';
import { PlacePicker } from '../places/place-picker.tsx';
import { service } from '../service.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Choices, Field, Form } from '../ui/form.tsx';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { errorAt, type Submission, useSubmission } from '../ui/submit.ts';
import { say } from '../ui/toast.tsx';

type Fields = Pick<ScimConnection, 'name' | 'workspace' | 'workspaces' | 'idFrom' | 'mayGrantAdministrator'>;

const WORKSPACES = ['workspace'] as const;

const EMPTY: Fields = {
  name: '',
  workspace: '',
  workspaces: [],
  idFrom: 'externalId',
  mayGrantAdministrator: false,
};

export function CreateConnection({
  onClose,
  onDone,
}: {
  onClose: () => void;
  onDone: (made: ScimConnectionWithToken) => void;
}) {
  const [fields, setFields] = useState(EMPTY);
  const submission = useSubmission((key) => service.scimConnections.create(fields, key), onDone);
  return (
    <Dialog title={t('connection.new')} onClose={onClose}>
      <FieldsForm
        {...{ fields, submission, onClose }}
        change={(change) => setFields({ ...fields, ...change })}
        action={t('connection.create')}
        isNew
      />
    </Dialog>
  );
}

/** Loads the connection anew: its version is that of what is shown. */
export function ChangeConnection({ id, onClose }: { id: string; onClose: () => void }) {
  const { value, error, isSlow, reload } = useLoaded((signal) => service.scimConnections.get(id, { signal }), [id]);
  return (
    <Dialog title={t('connection.edit')} onClose={onClose}>
      {value ? (
        <ChangeForm key={value.etag} connection={value} onClose={onClose} onOutdated={reload} />
      ) : error === undefined ? (
        <Skeleton isSlow={isSlow} />
      ) : (
        <ErrorNotice error={error} retry={reload} />
      )}
    </Dialog>
  );
}

function ChangeForm({
  connection,
  onClose,
  onOutdated,
}: {
  connection: ScimConnection & { etag: string };
  onClose: () => void;
  onOutdated: () => void;
}) {
  const [fields, setFields] = useState<Fields>(connection);
  const submission = useSubmission(
    () => {
      const { name, workspace, workspaces, mayGrantAdministrator } = fields;
      return service.scimConnections.update(
        connection.id,
        { name, workspace, workspaces, mayGrantAdministrator },
        { ifMatch: connection.etag },
      );
    },
    ({ name }) => (onClose(), say(t('form.saved', { name }))),
  );
  return (
    <FieldsForm
      {...{ fields, submission, onClose, onOutdated }}
      change={(change) => setFields({ ...fields, ...change })}
      action={t('action.save')}
    />
  );
}

function FieldsForm({
  fields,
  change,
  submission,
  action,
  isNew = false,
  onClose,
  onOutdated,
}: {
  fields: Fields;
  change: (change: Partial<Fields>) => void;
  submission: Submission;
  action: string;
  isNew?: boolean;
  onClose: () => void;
  onOutdated?: () => void;
}) {
  const wrong = (field: keyof Fields) => errorAt(submission.error, field);
  return (
    <Form fields={Object.keys(EMPTY)} {...{ submission, action, onClose, onOutdated }}>
      <Workspaces
        label={t('connection.workspace')}
        hint={t('connection.workspace_hint')}
        error={wrong('workspace')}
        ids={fields.workspace ? [fields.workspace] : []}
        choose={([workspace = '']) => change({ workspace })}
        most={1}
        isFirst={isNew}
      />
      <Field label={t('connection.name')} hint={t('connection.name_hint')} error={wrong('name')}>
        {(attributes) => (
          <input
            {...attributes}
            value={fields.name}
            autocomplete="off"
            autofocus={!isNew}
            required
            onInput={({ currentTarget }) => change({ name: currentTarget.value })}
          />
        )}
      </Field>
      <Workspaces
        label={t('connection.workspaces')}
        hint={t('connection.workspaces_hint')}
        error={wrong('workspaces')}
        ids={fields.workspaces}
        choose={(workspaces) => change({ workspaces })}
      />
      {isNew && (
        <Choices legend={t('connection.id_from')} error={wrong('idFrom')}>
          {(['externalId', 'userName'] as const).map((idFrom) => (
            <label key={idFrom} class="choice">
              <input
                type="radio"
                name="idFrom"
                checked={fields.idFrom === idFrom}
                onChange={() => change({ idFrom })}
              />
              {t(idFrom === 'externalId' ? 'connection.id_from.external_id' : 'connection.id_from.user_name')}
            </label>
          ))}
          <small>{t('connection.id_from_hint')}</small>
        </Choices>
      )}
      <label class="choice">
        <input
          type="checkbox"
          checked={fields.mayGrantAdministrator}
          onChange={({ currentTarget }) => change({ mayGrantAdministrator: currentTarget.checked })}
        />
        <span>
          {t('connection.may_grant')}
          <small>{t('connection.may_grant_hint')}</small>
        </span>
      </label>
    </Form>
  );
}

function Workspaces({
  label,
  hint,
  error,
  ids,
  choose,
  ...more
}: {
  label: string;
  hint: string;
  error?: string;
  ids: readonly string[];
  choose: (ids: string[]) => void;
  most?: number;
  isFirst?: boolean;
}) {
  return (
    <div class="field">
      <PlacePicker
        label={label}
        kinds={WORKSPACES}
        places={ids.map((id) => ({ kind: 'workspace', id }))}
        onChange={(places) => choose(places.map(({ id }) => id))}
        {...more}
      />
      {error && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
      <small>{hint}</small>
    </div>
  );
}
