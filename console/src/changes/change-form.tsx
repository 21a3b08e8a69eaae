import { useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { PlacePicker } from '../places/place-picker.tsx';
import type { Place } from '../places/place-label.tsx';
import { isServiceError } from '../service-errors.ts';
import { useChange } from '../make-once.ts';
import { type Field, REASON, reasonOf, type Values } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { useLoaded } from '../ui/load.ts';
import { kindOf, type ProposedChange, proposed } from './change.ts';
import { linesOf } from './result-sentences.ts';
import { useOfferedPlaces } from './offered-places.ts';
import { PreviewBox } from './preview-box.tsx';
import { make, placesOfRequest, type Preview, previewOf, requestOf } from './request.ts';
import { sayWhatWasDone } from './say-what-was-done.ts';
import { actionText, People, Places, Summary } from './summary.tsx';

/** Name at most this many people. */
const NAMED = 10;
/** How long somebody may still be choosing. */
const PAUSE_MS = 150;

const END: Field = { name: 'until', label: 'ends.field', kind: 'end', hint: 'ends.hint' };
const UNTIL = { add: END, remove: { ...END, hint: 'ends.hint_remove' }, end: END } as const;

/** The dialog for a change: where to, why, what will change; then one button does exactly that. */
export function ChangeForm({ change }: { change: ProposedChange }) {
  const [places, setPlaces] = useState<Place[]>([]);
  const form = useForm({ reason: '', until: change.kind === 'end' ? change.start : '' });
  const toPlaces = change.kind === 'status' ? undefined : change.kind;
  const asksForPlaces = change.kind !== 'status' && !change.workspaces;
  const offered = useOfferedPlaces(change, asksForPlaces);
  const until = String(form.values.until);
  const kind = kindOf(change, until);
  const request = requestOf(change, places, until);
  const wanted = places.map(({ kind, id }) => `${kind} ${id}`).join();
  const preview = useLoaded(
    async (signal) => {
      if (asksForPlaces || until) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (!request || signal.aborted) return undefined;
      return previewOf(request, signal);
    },
    [wanted, until],
  );
  // What is shown is what will be done, so nothing of what was chosen before.
  const shown = preview.isCurrent ? preview.value : undefined;
  const isOvertaken = (error: unknown) =>
    isServiceError(error) && (error.status === 409 || error.errors.some(({ id }) => id !== undefined));

  const attempt = useChange(
    async (wish: { preview: Preview; reason: string | undefined }, id) => {
      try {
        return { wish, result: await make(wish.preview, wish.reason, id) };
      } catch (error) {
        if (isOvertaken(error)) preview.reload();
        throw error;
      }
    },
    ({ wish, result }, id) => {
      proposed.set(undefined);
      change.onDone?.();
      sayWhatWasDone(wish.preview, result, id);
    },
  );
  const result = shown?.result;
  const changed = result ? result.users.length : (shown?.request.body.userIds.length ?? 0);
  const isReady = shown && !preview.isLoading && preview.error === undefined && changed > 0;
  const all = { count: change.userIds.length };
  const send = (values: Values) => {
    if (!shown) return;
    const reason = reasonOf(values);
    attempt.run({ preview: shown, reason }, [shown.request, reason]);
  };
  return (
    <FormDialog
      title={
        request && toPlaces && !asksForPlaces
          ? rich(`change.${toPlaces}.where`, { ...all, where: <Places places={placesOfRequest(request)} /> })
          : t(`change.${kind}`, all)
      }
      explain={
        <>
          <p>
            <People ids={change.userIds} most={NAMED} />
          </p>
          {toPlaces && toPlaces !== 'end' && asksForPlaces && (
            <PlacePicker
              label={t(`change.${toPlaces}.places`)}
              places={places}
              onChange={setPlaces}
              offered={offered}
              // Taking out of a group leaves one in the workspace, so one request does not do both.
              kinds={kind === 'remove' && places[0] ? [places[0].kind] : undefined}
              isFirst
            />
          )}
        </>
      }
      fields={toPlaces ? [REASON, UNTIL[toPlaces]] : [REASON]}
      form={form}
      change={attempt}
      isReady={!!isReady}
      isDanger={kind === 'inactive'}
      action={toPlaces === 'end' ? t('ends.submit') : actionText(kind, changed || all.count, until)}
      refusal={isOvertaken(attempt.error) && t('change.overtaken')}
      onSubmit={send}
      onClose={() => proposed.set(undefined)}
    >
      {request ? (
        <PreviewBox preview={preview}>
          {shown && !result && t('change.unseen', { count: changed })}
          {result?.users.length === 0 && <p>{t('change.nothing')}</p>}
          {shown && result && (
            <Summary lines={linesOf(kind, result, undefined, shown.administrators, until)} result={result} />
          )}
        </PreviewBox>
      ) : (
        <p class="hint">{t('change.choose')}</p>
      )}
    </FormDialog>
  );
}
