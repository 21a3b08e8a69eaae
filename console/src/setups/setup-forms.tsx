import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { keyed, useChange } from '../make-once.ts';
import { deleted } from '../records/operations.ts';
import { type Field, type Values, valuesOf } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';

export interface Versioned {
  id: string;
  etag: string;
}
interface Conditions {
  ifMatch?: string;
  requestId?: string;
}

/** What administrators set up for another system, which gets a secret: connections and webhooks. */
export interface SetupKind<Stored> {
  /** The first part of the keys of its messages, and the name of its id in the journal. */
  messages: 'connection' | 'webhook';
  newFields: readonly Field[];
  /** @param choice what was chosen in the first step */
  initialOf: (choice: string) => Values;
  changeableFields: readonly Field[];
  nameOf: (stored: Stored) => string;
  /** Its name must be typed before it is deleted. */
  isDeletionConfirmed?: true;
  get: (id: string, options: { signal: AbortSignal }) => Promise<Stored & Versioned>;
  /** @returns the secret, which is told this once */
  create: (values: Values, options: ReturnType<typeof keyed>) => Promise<string>;
  update: (id: string, values: Values, options: Conditions) => Promise<Stored>;
  delete: (id: string, options: Conditions) => Promise<void>;
  /** @returns the new secret */
  rotate: (stored: Stored & Versioned, values: Values, options: ReturnType<typeof keyed>) => Promise<string>;
  rotateFields?: readonly Field[];
  rotateInitial?: Values;
  /** What one chooses before the form of a new one. */
  FirstStep?: (props: { onChosen: (choice: string) => void; onClose: () => void }) => VNode;
  /** Above the form of a new one. */
  explainNew?: () => VNode;
  Secret: (props: { secret: string; isNew: boolean; choice: string; onClose: () => void }) => VNode;
}

export function CreateSetup<Stored>({
  kind,
  choice,
  onDone,
  onClose,
}: {
  kind: SetupKind<Stored>;
  choice: string;
  onDone: (secret: string) => void;
  /** @param tried the requests that may have made one whose secret was lost */
  onClose: (tried: string[]) => void;
}) {
  const form = useForm(kind.initialOf(choice));
  const tried = useRef(new Set<string>());
  const change = useChange((values: Values, id) => {
    tried.current.add(id);
    return kind.create(values, keyed(id));
  }, onDone);
  return (
    <FormDialog
      title={t(`${kind.messages}.new`)}
      explain={kind.explainNew?.()}
      fields={kind.newFields}
      action={t(`${kind.messages}.create`)}
      onSubmit={change.run}
      onClose={() => onClose([...tried.current])}
      {...{ form, change }}
    />
  );
}

interface Asked<Stored> {
  kind: SetupKind<Stored>;
  /** As it was shown: the change is made only if this is still its version. */
  stored: Stored & Versioned;
  onOutdated: () => void;
  onClose: () => void;
}

export function ChangeSetup<Stored>({ kind, stored, ...asked }: Asked<Stored>) {
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

export function DeleteSetup<Stored>({
  kind,
  stored,
  onDeleted,
  ...asked
}: Asked<Stored> & { onDeleted: (() => void) | undefined }) {
  const name = kind.nameOf(stored);
  const change = useChange(
    (_: object, requestId, isAgain) => deleted(kind.delete(stored.id, { ifMatch: stored.etag, requestId }), isAgain),
    () => (asked.onClose(), onDeleted?.(), say(t('form.deleted', { name }))),
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

export function RotateSecret<Stored>({
  kind,
  stored,
  onDone,
  ...asked
}: Asked<Stored> & { onDone: (secret: string) => void }) {
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
