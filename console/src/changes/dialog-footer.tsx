import { t } from '../language/language.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import type { Attempt } from './attempt.ts';

/** The button that does it, and what is known of the last attempt. */
export function DialogFooter({
  attempt: { isUnderWay, isOpen, error },
  isReady,
  isDanger = false,
  label,
  overtaken,
  onClose,
  onDo,
}: {
  attempt: Pick<Attempt<never>, 'isUnderWay' | 'isOpen' | 'error'>;
  isReady: boolean;
  isDanger?: boolean;
  label: string;
  /** It was refused, because the directory is no longer as it was shown. */
  overtaken: boolean;
  onClose: () => void;
  onDo: () => void;
}) {
  return (
    <>
      {overtaken ? (
        <div class="notice error" role="alert">
          {t('change.overtaken')}
        </div>
      ) : (
        <ErrorNotice error={error} />
      )}
      <p role="status" class={isUnderWay ? 'hint' : 'visually-hidden'}>
        {isUnderWay && t('change.under_way')}
      </p>
      <footer>
        <button type="button" onClick={onClose} disabled={isUnderWay}>
          {t(isOpen && !isUnderWay ? 'action.close' : 'action.cancel')}
        </button>
        <button
          type="button"
          class={isDanger ? 'primary destructive' : 'primary'}
          disabled={isUnderWay || !(isReady || isOpen)}
          onClick={onDo}
        >
          {isOpen && !isUnderWay ? t('action.try_again') : label}
        </button>
      </footer>
    </>
  );
}
