import { t } from '../language/language.ts';
import { nameOf } from '../names.ts';
import { goTo, href } from '../routing/address.ts';
import { service } from '../service.ts';
import { keyed, useChange } from '../make-once.ts';
import { type Field, REASON, reasonOf, type Values } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';

const FIELDS: readonly Field[] = [{ name: 'id', label: 'rename.id', kind: 'text', invalid: 'invalid.id' }, REASON];

/** Gives a person another id, when the present one has been typed. */
export function RenamePerson({
  person,
  isMe,
  onClose,
}: {
  person: { id: string; displayName: string | null };
  isMe: boolean;
  onClose: () => void;
}) {
  const name = nameOf(person);
  const form = useForm({ id: '', reason: '' });
  const change = useChange(
    (values: Values, key) =>
      service.users.rename(person.id, { id: values.id as string, reason: reasonOf(values) }, keyed(key)),
    ({ id }) => {
      onClose();
      goTo(href(['people', id]));
      say(t('rename.done', { name, id }));
    },
  );
  return (
    <FormDialog
      title={t('rename.title', { name })}
      explain={
        <>
          <p>{t('rename.what')}</p>
          {isMe && <p class="fault">{t('self.rename')}</p>}
        </>
      }
      fields={FIELDS}
      confirm={{ id: person.id, name }}
      action={t('rename.submit')}
      onSubmit={change.run}
      {...{ form, change, onClose }}
    />
  );
}
