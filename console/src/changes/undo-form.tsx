import { t } from '../language/language.ts';
import { service } from '../service.ts';
import { isServiceError } from '../service-errors.ts';
import { ActSentence } from '../history/act-sentence.tsx';
import type { Act } from '../history/acts.ts';
import { useChange } from '../make-once.ts';
import { REASON, reasonOf } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { useLoaded } from '../ui/load.ts';
import { type Direction, linesOf } from './result-sentences.ts';
import { PreviewBox } from './preview-box.tsx';
import { isTooLarge } from './request.ts';
import { People, Summary } from './summary.tsx';
import { directionOf, proposedUndoing, suspends } from './undo.ts';
import { undo } from './undo-and-say.ts';

/** The dialog that shows what undoing would change, and does it. */
export function UndoForm({ act }: { act: Act }) {
  const { main: entry } = act;
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
  const form = useForm({ reason: '' });
  const change = useChange(
    async (wish: { direction: Direction; reason: string | undefined }, id) => {
      try {
        await undo(entry, id, wish.direction, wish.reason);
      } catch (error) {
        if (isOvertaken(error)) preview.reload();
        throw error;
      }
    },
    () => proposedUndoing.set(undefined),
  );
  const { value } = preview;
  const result = value?.result;
  const isReady = value && !preview.isLoading && preview.error === undefined && result?.users.length !== 0;
  const close = () => proposedUndoing.set(undefined);
  return (
    <FormDialog
      title={t('undo.title')}
      explain={
        // A link leads away from the dialog.
        <div onClick={({ target }) => target instanceof Element && target.closest('a') && close()}>
          <p>
            <ActSentence act={act} withReason />
          </p>
          {result && result.users.length > 0 && (
            <p>
              <People ids={result.users.map(({ id }) => id)} />
            </p>
          )}
        </div>
      }
      fields={[REASON]}
      isReady={!!isReady}
      action={
        result && result.users.length > 1 ? t('history.undo_people', { count: result.users.length }) : t('action.undo')
      }
      isDanger={suspends(entry)}
      refusal={isOvertaken(change.error) && t('change.overtaken')}
      onSubmit={(values) => value && change.run({ direction: value.direction, reason: reasonOf(values) })}
      onClose={close}
      {...{ form, change }}
    >
      <PreviewBox preview={preview}>
        {result?.users.length === 0 && <p>{t('undo.nothing')}</p>}
        {value && result && <Summary lines={linesOf('undo', result, value.direction)} result={result} />}
      </PreviewBox>
    </FormDialog>
  );
}

const isOvertaken = (error: unknown): boolean => isServiceError(error) && error.status === 409;
