import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { keyed, useChange } from '../make-once.ts';
import { deleted } from '../records/operations.ts';
import { type Field, type Values, valuesOf } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';

interface Versioned {
  id: string;
  etag: string;
}
interface Conditions {
  ifMatch?: string;
  requestId?: string;
}

/** What administrators set up for another system: connections and webhooks. */
export interface SetupKind<Stored, Made, Renewed> {
  /** The first part of the keys of its messages. */
  messages: 'connection' | 'webhook';
  newFields: readonly Field[];
  initial: Values;
  changeableFields: readonly Field[];
  nameOf: (stored: Stored) => string;
  /** Its name must be typed before it is deleted. */
  isDeletionConfirmed?: true;
  create: (values: Values, options: ReturnType<typeof keyed>) => Promise<Made>;
  update: (id: string, values: Values, options: Conditions) => Promise<Stored>;
  delete: (id: string, options: Conditions) => Promise<void>;
  /** Makes a new secret. */
  rotate: (stored: Stored, values: Values, options: ReturnType<typeof keyed>) => Promise<Renewed>;
  rotateFields?: readonly Field[];
  rotateInitial?: Values;
}

interface Closable {
  onClose: () => void;
}

export function CreateSetup<Stored, Made, Renewed>({
  kind,
  onDone,
  onClose,
}: Closable & { kind: SetupKind<Stored, Made, Renewed>; onDone: (made: Made) => void }) {
  const form = useForm(kind.initial);
  const change = useChange((values: Values, id) => kind.create(values, keyed(id)), onDone);
  return (
    <FormDialog
      title={t(`${kind.messages}.new`)}
      fields={kind.newFields}
      action={t(`${kind.messages}.create`)}
      onSubmit={change.run}
      {...{ form, change, onClose }}
    />
  );
}

interface Asked<Stored, Made, Renewed> extends Closable {
  kind: SetupKind<Stored, Made, Renewed>;
  /** As it was shown: the change is made only if this is still its version. */
  stored: Stored & Versioned;
  onOutdated: () => void;
}

export function ChangeSetup<Stored, Made, Renewed>({ kind, stored, ...asked }: Asked<Stored, Made, Renewed>) {
  const form = useForm(valuesOf(kind.changeableFields, stored));
  const change = useChange(
    (values: Values, requestId) => kind.update(stored.id, values, { ifMatch: stored.etag, requestId }),
    (saved) => (asked.onClose(), say(t('form.saved', { name: kind.nameOf(saved) }))),
  );
  return (
    <FormDialog
      title={t(`${kind.messages}.edit`)}
      fields={kind.changeableFields}
      action={t('action.save')}
      onSubmit={change.run}
      {...{ form, change, ...asked }}
    />
  );
}

export function DeleteSetup<Stored, Made, Renewed>({
  kind,
  stored,
  onDeleted,
  ...asked
}: Asked<Stored, Made, Renewed> & { onDeleted: () => void }) {
  const name = kind.nameOf(stored);
  const change = useChange(
    (_: object, requestId, isAgain) => deleted(kind.delete(stored.id, { ifMatch: stored.etag, requestId }), isAgain),
    () => (onDeleted(), say(t('form.deleted', { name }))),
  );
  return (
    <FormDialog
      title={t(`${kind.messages}.delete`)}
      explain={<p>{rich(`${kind.messages}.delete_about`, { name })}</p>}
      form={useForm({})}
      confirm={kind.isDeletionConfirmed && { id: name }}
      action={t('action.delete')}
      isDanger
      onSubmit={change.run}
      {...{ change, ...asked }}
    />
  );
}

export function RotateSecret<Stored, Made, Renewed>({
  kind,
  stored,
  onDone,
  ...asked
}: Closable & {
  kind: SetupKind<Stored, Made, Renewed>;
  stored: Stored;
  onOutdated?: () => void;
  onDone: (renewed: Renewed) => void;
}) {
  const form = useForm(kind.rotateInitial ?? {});
  const change = useChange((values: Values, id) => kind.rotate(stored, values, keyed(id)), onDone);
  return (
    <FormDialog
      title={t(`${kind.messages}.rotate`)}
      explain={<p>{rich(`${kind.messages}.rotate_about`, { name: kind.nameOf(stored) })}</p>}
      fields={kind.rotateFields}
      action={t(`${kind.messages}.rotate`)}
      onSubmit={change.run}
      {...{ form, change, ...asked }}
    />
  );
}
