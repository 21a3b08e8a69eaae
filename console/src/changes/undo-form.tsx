import { useState } from 'preact/hooks';
import type { JournalEntry } from '@user-administration/client';
import { t } from '../language/language.ts';
import { directoryChanged } from '../changed.ts';
import { isServiceError, service } from '../service.ts';
import { Sentence } from '../history/sentence.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useLoaded } from '../ui/load.ts';
import { useAttempt } from './attempt.ts';
import { DialogFooter } from './dialog-footer.tsx';
import { type Direction, linesOf } from './lines.ts';
import { PreviewBox } from './preview-box.tsx';
import { ReasonField, reasonExcess } from './reason-field.tsx';
import { isTooLarge } from './request.ts';
import { Summary } from './summary.tsx';
import { directionOf, proposedUndoing } from './undo.ts';
import { undo } from './undo-and-say.ts';

/** The dialog that shows what undoing would change, and does it. */
export function UndoForm({ entry }: { entry: JournalEntry }) {
  const [reason, setReason] = useState('');
  const preview = useLoaded(
    async (signal) => {
      const [direction, result] = await Promise.all([
        directionOf(entry, signal),
        service.journal.undo(entry.id, {}, { dryRun: true, signal }).then(
          (answer) => answer.result,
          (error: unknown) => {
            if (isTooLarge(error)) return undefined;
            throw error;
          },
        ),
      ]);
      return { direction, result };
    },
    [entry.id],
  );
  const attempt = useAttempt(async (wish: { direction: Direction; reason: string }, id: string) => {
    try {
      await undo(entry, id, wish.direction, wish.reason);
      proposedUndoing.set(undefined);
    } catch (error) {
      if (isServiceError(error) && error.status === 409) preview.reload();
      throw error;
    }
  });
  const close = () => {
    if (attempt.isUnderWay) return;
    proposedUndoing.set(undefined);
    if (attempt.isOpen) directoryChanged();
  };
  const { value } = preview;
  const result = value?.result;
  const isReady = value && !preview.isLoading && preview.error === undefined && result?.users.length !== 0;
  return (
    <Dialog title={t('undo.title')} onClose={close}>
      {/* A link leads away from the dialog. */}
      <p onClick={({ target }) => target instanceof Element && target.closest('a') && close()}>
        <Sentence entry={entry} />
      </p>
      <ReasonField reason={reason} onChange={setReason} isFirst={false} isDisabled={attempt.isOpen} />
      <PreviewBox preview={preview}>
        {result?.users.length === 0 && <p>{t('undo.nothing')}</p>}
        {value && result && <Summary lines={linesOf('undo', result, value.direction)} result={result} />}
      </PreviewBox>
      <DialogFooter
        attempt={attempt}
        isReady={!!isReady && reasonExcess(reason) <= 0}
        label={t('action.undo')}
        overtaken={isServiceError(attempt.error) && attempt.error.status === 409}
        onClose={close}
        onDo={() => value && attempt.run({ direction: value.direction, reason: reason.trim() })}
      />
    </Dialog>
  );
}
