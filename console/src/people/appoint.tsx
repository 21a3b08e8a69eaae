import type { Stored, UserRecord } from '@user-administration/client';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { nameOf } from '../names.ts';
import { ImpactBox, useImpact } from '../records/impact.tsx';
import { service } from '../service.ts';
import { isServiceError } from '../service-errors.ts';
import { readPermission } from '../session/read-permission.ts';
import { keyed, useChange } from '../make-once.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type Field, REASON, reasonOf } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { useLoaded } from '../ui/load.ts';
import { newId } from '../ui/new-id.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';

/** Administrators change everything, auditors look at everything. */
export type Role = 'administrator' | 'auditor';

interface Props {
  role: Role;
  person: Stored<UserRecord>;
  onClose: () => void;
}

/** The permissions that make somebody an administrator or an auditor, and whether there is one. */
interface Granting {
  ids: readonly string[];
  isMissing: boolean;
}

/** Gives a person a permission that makes an administrator or an auditor, or takes those away that were given directly. */
export function Appoint(props: Props) {
  const { role, person, onClose } = props;
  const title = t(`${role}.title`, { name: nameOf(person) });
  const { value, error, reload } = useLoaded((signal) => grantingOf(role, signal), []);
  if (value) return <Form {...props} title={title} granting={value} />;
  return (
    <Dialog title={title} onClose={onClose}>
      {error === undefined ? <Skeleton rows={2} /> : <ErrorNotice error={error} retry={reload} />}
    </Dialog>
  );
}

async function grantingOf(role: Role, signal: AbortSignal): Promise<Granting> {
  const { permissions } = service;
  const filter = role === 'administrator' ? ({ grants: role } as const) : { id: [readPermission()] };
  const ids = (await permissions.list({ ...filter, limit: 100 }, { signal }).all()).map(({ id }) => id);
  const isMissing = ids.length === 0;
  return { ids: isMissing && role === 'auditor' ? [readPermission()] : ids, isMissing };
}

/** The permission of auditors makes nobody more than a guest. Somebody else may make it at the same time. */
async function makeReadPermission(): Promise<void> {
  const permission = { id: readPermission(), description: t('auditor.permission'), grants: 'guest' } as const;
  await service.permissions.create(permission, keyed(newId())).catch((error: unknown) => {
    if (!isServiceError(error) || error.code !== 'record.id_taken') throw error;
  });
}

function Form({
  role,
  person,
  granting: { ids, isMissing },
  title,
  onClose,
}: Props & { granting: Granting; title: string }) {
  const name = nameOf(person);
  const isOne = person.permissions.some((id) => ids.includes(id));
  const isPossible = isOne || ids.length > 0;
  const form = useForm({ permission: ids[0] ?? '', reason: '' });
  const others = person.permissions.filter((id) => !ids.includes(id));
  const permissions = isOne ? others : [...person.permissions, String(form.values.permission)];
  // A permission that is not there yet cannot be tried.
  const isTried = isPossible && !isMissing;
  const impact = useImpact('user', person.id, { permissions }, isTried);
  const field: Field = {
    name: 'permission',
    label: 'administrator.by',
    kind: 'choice',
    options: Object.fromEntries(ids.map((id) => [id, id])),
  };
  const change = useChange(
    async ({ permissions, reason }: { permissions: string[]; reason: string | undefined }, requestId) => {
      if (isMissing) await makeReadPermission();
      return service.users.update(person.id, { permissions }, { ifMatch: person.etag, requestId, reason });
    },
    () => {
      onClose();
      say(t(isOne ? `${role}.unmade` : `${role}.made`, { name }));
    },
  );
  const what = isPossible ? (isOne ? (`${role}.unmake` as const) : (`${role}.make` as const)) : 'administrator.none';
  return (
    <FormDialog
      title={title}
      explain={
        <p>
          {rich(what, { permission: <b>{readPermission()}</b> })} {isMissing && isPossible && t('auditor.missing')}
        </p>
      }
      fields={!isPossible ? [] : isOne || role === 'auditor' ? [REASON] : [field, REASON]}
      action={t(isOne ? `${role}.unmake_submit` : `${role}.make_submit`)}
      isReady={isPossible && (!isTried || (impact.isCurrent && !impact.isLoading && impact.error === undefined))}
      onSubmit={(values) => change.run({ permissions, reason: reasonOf(values) })}
      {...{ form, change, onClose }}
    >
      {isTried && <ImpactBox impact={impact} />}
    </FormDialog>
  );
}
