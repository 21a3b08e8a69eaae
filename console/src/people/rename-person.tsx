import { useState } from 'preact/hooks';
import { directoryChanged } from '../changed.ts';
import { t } from '../language/language.ts';
import { nameOf } from '../names.ts';
import { type Field, REASON, type Values } from '../records/fields.ts';
import { RecordForm } from '../records/record-form.tsx';
import { goTo, href } from '../routing/address.ts';
import { service } from '../service.ts';
import { say } from '../ui/toast.tsx';
import { newId } from '../ui/new-id.ts';

const NEW_ID: Field = { name: 'id', label: 'rename.id', kind: 'text', invalid: 'invalid.id' };

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
  const [idempotencyKey] = useState(newId);
  const name = nameOf(person);
  const rename = async ({ id, reason }: Values) => {
    const body = { id: id as string, reason: (reason as string) || null };
    const renamed = await service.users.rename(person.id, body, { idempotencyKey });
    onClose();
    goTo(href(['people', renamed.id]));
    say(t('rename.done', { name, id: renamed.id }));
    directoryChanged();
  };
  return (
    <RecordForm
      title={t('rename.title', { name })}
      explain={
        <>
          <p>{t('rename.what')}</p>
          {isMe && <p class="fault">{t('self.rename')}</p>}
        </>
      }
      fields={[NEW_ID, REASON]}
      initial={{ id: '', reason: '' }}
      confirm={person.id}
      submit={t('rename.submit')}
      save={rename}
      onClose={onClose}
    />
  );
}
