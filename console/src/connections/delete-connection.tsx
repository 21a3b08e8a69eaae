import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { service } from '../service.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { useSubmission } from '../ui/submit.ts';
import { say } from '../ui/toast.tsx';
import { TypedConfirmation } from '../ui/typed-confirmation.tsx';

/** Loads the connection anew: its version is that of what is shown. */
export function DeleteConnection({ id, onClose }: { id: string; onClose: () => void }) {
  const { value, error, isSlow, reload } = useLoaded((signal) => service.scimConnections.get(id, { signal }), [id]);
  const name = value?.name ?? '';
  const submission = useSubmission(
    () => service.scimConnections.delete(id, { ifMatch: value?.etag }),
    () => (onClose(), say(t('form.deleted', { name }))),
  );
  return (
    <Dialog title={t('connection.delete')} onClose={onClose}>
      {value ? (
        <TypedConfirmation
          key={value.etag}
          {...{ name, submission, onClose }}
          action={t('action.delete')}
          onOutdated={reload}
        >
          <p>{rich('connection.delete_about', { name })}</p>
        </TypedConfirmation>
      ) : error === undefined ? (
        <Skeleton isSlow={isSlow} />
      ) : (
        <ErrorNotice error={error} retry={reload} />
      )}
    </Dialog>
  );
}
