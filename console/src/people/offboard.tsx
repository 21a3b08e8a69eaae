import { linesOf } from '../changes/result-sentences.ts';
import { PreviewBox } from '../changes/preview-box.tsx';
import { Summary } from '../changes/summary.tsx';
import { directoryChanged } from '../directory-version.ts';
import { entryOfRequest } from '../entry-of-request.ts';
import { t } from '../language/language.ts';
import { nameOf } from '../names.ts';
import { service } from '../service.ts';
import { keyed, useChange } from '../make-once.ts';
import { REASON, reasonOf } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { useLoaded } from '../ui/load.ts';
import { newId } from '../ui/new-id.ts';
import { sentenceOf } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';

/** The two requests of it, each with its own key. The access ends first. */
const SUSPENSION = 'suspend';
const LEAVING = 'leave';

/** Suspends a person and takes them out of everything: one reason, one preview, and one way back for both. */
export function Offboard({
  person,
  onClose,
}: {
  person: { id: string; displayName: string | null };
  onClose: () => void;
}) {
  const { id } = person;
  const name = nameOf(person);
  const userIds = [id];
  const form = useForm({ reason: '' });
  const preview = useLoaded(
    async (signal) => {
      const places = await service.users.memberships(id, { signal }).all();
      const workspaces = places.map(({ workspace }) => workspace.id);
      const options = { dryRun: true, signal } as const;
      const [suspended, left] = await Promise.all([
        service.users.assignStatus({ userIds, status: 'inactive' }, options),
        workspaces.length > 0 ? service.users.unassignWorkspaces({ userIds, workspaces }, options) : undefined,
      ]);
      return { workspaces, suspended: suspended.result, left: left?.result };
    },
    [id],
  );
  const change = useChange(
    async ({ workspaces, reason }: { workspaces: string[]; reason: string | undefined }, key) => {
      await service.users.assignStatus({ userIds, status: 'inactive', reason }, keyed(`${key}-${SUSPENSION}`));
      if (workspaces.length > 0)
        await service.users.unassignWorkspaces({ userIds, workspaces, reason }, keyed(`${key}-${LEAVING}`));
    },
    (_, key) => {
      onClose();
      say(t('offboard.done', { name }), { label: t('action.undo'), run: () => void undoBoth(key, id, name) });
    },
  );
  const { value } = preview;
  return (
    <FormDialog
      title={t('offboard.title', { name })}
      explain={<p>{t('offboard.what')}</p>}
      fields={[REASON]}
      action={t('offboard.submit')}
      isDanger
      isReady={value !== undefined && !preview.isLoading && preview.error === undefined}
      onSubmit={(values) => value && change.run({ workspaces: value.workspaces, reason: reasonOf(values) })}
      {...{ form, change, onClose }}
    >
      <PreviewBox preview={preview}>
        {value && <Summary lines={linesOf('inactive', value.suspended)} result={value.suspended} />}
        {value?.left && <Summary lines={linesOf('remove', value.left)} result={value.left} />}
      </PreviewBox>
    </FormDialog>
  );
}

async function undoBoth(key: string, user: string, name: string): Promise<void> {
  try {
    for (const part of [LEAVING, SUSPENSION]) {
      const entry = await entryOfRequest(`${key}-${part}`, user);
      if (entry) await service.journal.undo(entry.id, {}, keyed(newId()));
    }
    say(t('offboard.undone', { name }));
  } catch (error) {
    const again = { label: t('action.try_again'), run: () => void undoBoth(key, user, name) };
    say(t('undo.failed', { why: sentenceOf(error) }), again);
  }
  directoryChanged();
}
