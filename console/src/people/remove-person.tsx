import { useState } from 'preact/hooks';
import { directoryChanged } from '../changed.ts';
import { t } from '../language/language.ts';
import { nameOf } from '../names.ts';
import { RecordForm } from '../records/record-form.tsx';
import { goTo, href } from '../routing/address.ts';
import { service } from '../service.ts';
import { say } from '../ui/toast.tsx';

/** Deletes a person, or erases the person's facts as well, when the id has been typed. */
export function RemovePerson({
  person,
  isErasure,
  isMe,
  onClose,
}: {
  person: { id: string; displayName?: string | null };
  /** `former`: of somebody who has gone, and not of who may have got the id since. */
  isErasure: boolean | 'former';
  isMe: boolean;
  onClose: () => void;
}) {
  const name = nameOf(person);
  const what = isErasure ? 'erase' : 'delete';
  const remove = async () => {
    await service.users.delete(person.id, { erase: isErasure });
    onClose();
    goTo(href(['people']));
    // What was erased is not said any more.
    say(isErasure ? t('erase.done', { id: person.id }) : t('delete.done', { name }));
    directoryChanged();
  };
  return (
    <RecordForm
      title={t(`${what}.title`, { name })}
      explain={
        <>
          <p>{t(isErasure ? 'erase.what' : 'delete.user')}</p>
          {isMe && <p class="fault">{t('self.delete')}</p>}
        </>
      }
      fields={[]}
      initial={{}}
      confirm={person.id}
      submit={t(`${what}.submit`)}
      save={remove}
      onClose={onClose}
    />
  );
}

/** Somebody who was deleted before can still be erased. */
export function EraseGone({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p class="hint">{t('gone.erase')}</p>
      <div class="row">
        <a href={href(['history'], { user: id })}>{t('card.changes_all')}</a>
        <button type="button" class="danger" onClick={() => setOpen(true)}>
          {t('erase.open')}
        </button>
      </div>
      {isOpen && <RemovePerson person={{ id }} isErasure="former" isMe={false} onClose={() => setOpen(false)} />}
    </>
  );
}
