import type { Stored, UserRecord } from '@user-administration/client';
import { t } from '../language/language.ts';
import { nameOf } from '../names.ts';
import { ImpactBox, useImpact } from '../records/impact.tsx';
import { service } from '../service.ts';
import { useChange } from '../make-once.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type Field, REASON, reasonOf } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';

interface Props {
  person: Stored<UserRecord>;
  onClose: () => void;
}

/** Gives a person a permission that makes administrators, or takes those away that were given directly. */
export function MakeAdministrator(props: Props) {
  const title = t('administrator.title', { name: nameOf(props.person) });
  const { value, error, reload } = useLoaded(
    (signal) => service.permissions.list({ grants: 'administrator', limit: 100 }, { signal }).all(),
    [],
  );
  if (value) return <Form {...props} title={title} granting={value.map(({ id }) => id)} />;
  return (
    <Dialog title={title} onClose={props.onClose}>
      {error === undefined ? <Skeleton rows={2} /> : <ErrorNotice error={error} retry={reload} />}
    </Dialog>
  );
}

function Form({ person, granting, title, onClose }: Props & { granting: string[]; title: string }) {
  const name = nameOf(person);
  const given = person.permissions.filter((id) => granting.includes(id));
  const isOne = given.length > 0;
  const form = useForm({ permission: granting[0] ?? '', reason: '' });
  const others = person.permissions.filter((id) => !granting.includes(id));
  const permissions = isOne ? others : [...person.permissions, String(form.values.permission)];
  const isPossible = isOne || granting.length > 0;
  const impact = useImpact('user', person.id, { permissions }, isPossible);
  const field: Field = {
    name: 'permission',
    label: 'administrator.by',
    kind: 'choice',
    options: Object.fromEntries(granting.map((id) => [id, id])),
  };
  const change = useChange(
    ({ permissions, reason }: { permissions: string[]; reason: string | undefined }, requestId) =>
      service.users.update(person.id, { permissions }, { ifMatch: person.etag, requestId, reason }),
    () => {
      onClose();
      say(t(isOne ? 'administrator.unmade' : 'administrator.made', { name }));
    },
  );
  return (
    <FormDialog
      title={title}
      explain={<p>{t(isOne ? 'administrator.unmake' : isPossible ? 'administrator.make' : 'administrator.none')}</p>}
      fields={isOne ? [REASON] : isPossible ? [field, REASON] : []}
      action={t(isOne ? 'administrator.unmake_submit' : 'administrator.make_submit')}
      isDanger={isOne}
      isReady={isPossible && impact.isCurrent && !impact.isLoading && impact.error === undefined}
      onSubmit={(values) => change.run({ permissions, reason: reasonOf(values) })}
      {...{ form, change, onClose }}
    >
      {isPossible && <ImpactBox impact={impact} />}
    </FormDialog>
  );
}
