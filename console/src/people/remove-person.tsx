import { useState } from 'preact/hooks';
import { propose } from '../changes/change.ts';
import { t } from '../language/language.ts';
import { nameOf } from '../names.ts';
import { ImpactBox, useImpact } from '../records/impact.tsx';
import { deleted } from '../records/operations.ts';
import { goTo, href } from '../routing/address.ts';
import { service } from '../service.ts';
import { useChange } from '../make-once.ts';
import { REASON, reasonOf, type Values } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
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
  const change = useChange(
    (values: Values, id, isAgain) => {
      const options = { erase: isErasure || undefined, requestId: id, reason: reasonOf(values) };
      return deleted(service.users.delete(person.id, options), isAgain && !isErasure);
    },
    () => {
      onClose();
      goTo(href(['people']));
      // What was erased is not said any more.
      say(isErasure ? t('erase.done', { id: person.id }) : t('delete.done', { name }));
    },
  );
  const impact = useImpact('user', person.id, undefined, isErasure !== 'former');
  const suspend = () => {
    onClose();
    propose({ kind: 'status', userIds: [person.id], status: 'inactive' });
  };
  return (
    <FormDialog
      title={t(`${what}.title`, { name })}
      explain={
        <>
          <p>{t(isErasure ? 'erase.what' : 'delete.user')}</p>
          {isMe && <p class="fault">{t('self.delete')}</p>}
          {!isErasure && (
            <p class="row">
              {t('delete.or_suspend')}
              <button type="button" onClick={suspend}>
                {t('action.suspend')}
              </button>
            </p>
          )}
        </>
      }
      fields={[REASON]}
      form={useForm({ reason: '' })}
      confirm={{ id: person.id, name }}
      action={t(`${what}.submit`)}
      isDanger
      isReady={!impact.isLoading}
      onSubmit={change.run}
      {...{ change, onClose }}
    >
      {isErasure !== 'former' && <ImpactBox impact={impact} />}
    </FormDialog>
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
